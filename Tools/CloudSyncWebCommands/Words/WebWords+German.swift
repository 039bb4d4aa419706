extension WebWords {
  static let german: [String: String] = [
    "name": "cloudsync",
    "skip": "Zum Inhalt springen",
    "navigation": "Seiten",
    "overview": "Übersicht",
    "conflicts": "Konflikte",
    "history": "Verlauf",
    "devices": "Geräte",
    "data": "Daten",
    "onDevice": "auf {0}",

    "domain.airports": "Flughäfen", "domain.settings": "Einstellungen",
    "domain.health": "Gesundheit", "domain.media": "Filme und Serien", "domain.bike": "Fahrrad",

    "failure.title": "Das hat nicht geklappt",
    "failure.wrongHost": "Diese Seite antwortet nur unter ihrer eigenen Adresse, 127.0.0.1.",
    "failure.unknownPage": "Diese Seite gibt es nicht.",
    "failure.noAccess": """
    Dieser Browser darf die Seiten nicht sehen. Starten Sie 'cloudsync web' neu und öffnen Sie den Link, den es \
    ausgibt.
    """,
    "failure.usedLink": """
    Dieser Link ist schon benutzt. Wenn die Seiten in diesem Browser nicht offen sind, starten Sie 'cloudsync web' \
    neu.
    """,
    "failure.foreignForm": """
    Dieses Formular kam nicht von einer Seite von cloudsync; es wurde nichts getan.
    """,
    "failure.tooLarge": "Das ist größer, als eine Seite annimmt; benutzen Sie dafür den Befehl.",
    "failure.brokenForm": "Die Datei ist nicht ganz angekommen. Senden Sie sie noch einmal.",
    "failure.tooLong": """
    Der Befehl sagt mehr, als eine Seite zeigen kann; benutzen Sie ihn in einem Terminal.
    """,
    "back": "Zurück zur Übersicht",

    "safe.none": "Dieses Gerät ist nicht eingerichtet; es liegt also nichts an einem anderen Ort.",
    "safe.none.hint": "Geben Sie auf diesem Gerät in einem Terminal 'cloudsync init' ein.",
    "safe.noRemote": "Alles liegt nur auf diesem Gerät.",
    "safe.noRemote.hint": """
    Fügen Sie in einem Terminal mit 'cloudsync remote add' einen Ort für eine Kopie hinzu.
    """,
    "safe.alone": "Alles ist an {0} gespeichert. Kein anderes Gerät hat es bisher.",
    "safe.all": "Alles ist auf {0} und an {1}.",
    "safe.error": "{0}: nicht lesbar oder nicht abgeglichen.",
    "safe.error.hint": "Unten steht, was nicht stimmt.",
    "safe.decisions.one": "1 Konflikt braucht Ihre Entscheidung.",
    "safe.decisions.many": "{0} Konflikte brauchen Ihre Entscheidung.",
    "safe.stale": "{0}: seit einiger Zeit nicht abgeglichen.",
    "safe.stale.hint": "Gleichen Sie jetzt ab; unten steht, welcher Ort nicht antwortet.",
    "safe.pending.one": "1 Änderung ist nur auf diesem Gerät.",
    "safe.pending.many": "{0} Änderungen sind nur auf diesem Gerät.",
    "safe.pending.hint": "Gleichen Sie jetzt ab, um sie auch anderswo zu speichern.",
    "safe.waiting.one": "1 Änderung ist hier noch nicht angekommen.",
    "safe.waiting.many": "{0} Änderungen sind hier noch nicht angekommen.",
    "safe.waiting.hint": "Gleichen Sie jetzt ab, um sie zu holen.",
    "safe.behind": "{0} hat noch nicht alles.",
    "safe.behind.hint": "Den Rest bekommt es mit seinem nächsten Abgleich.",
    "devices.count.one": "diesem Gerät", "devices.count.many": "{0} Geräten",
    "remotes.count.one": "einem Ort", "remotes.count.many": "{0} Orten",

    "sync.now": "Jetzt abgleichen",
    "sync.running": "Gleicht ab …",
    "sync.done": "Abgeglichen: {0} gesendet, {1} empfangen.",
    "sync.failed": "Der Abgleich ist nicht überall gelungen.",

    "matrix.title": "Wer was hat",
    "matrix.about": """
    Was dieses Gerät von den anderen weiß: wie viele Änderungen jedes noch nicht bestätigt hat.
    """,
    "matrix.device": "Gerät",
    "matrix.seen": "Zuletzt gesehen",
    "matrix.this": "dieses Gerät",
    "matrix.has": "hat alles",
    "matrix.lacks.one": "1 Änderung fehlt", "matrix.lacks.many": "{0} Änderungen fehlen",
    "matrix.none": "hat es nicht",
    "matrix.clock": "seine Uhr geht vor",
    "matrix.unnamed": "ohne Namen",

    "domains.title": "Ihre Daten",
    "domains.domain": "Daten",
    "domains.records": "Einträge",
    "domains.state": "Zustand",
    "domains.pending": "Zu senden",
    "domains.waiting": "Zu empfangen",
    "domains.conflicts": "Konflikte",
    "domains.lastSync": "Letzter Abgleich",
    "state.upToDate": "auf dem Stand", "state.neverSynced": "nie abgeglichen",
    "state.error": "Fehler", "state.conflict": "Konflikt", "state.stale": "veraltet",
    "state.offline": "nicht erreichbar", "state.waiting": "wartet", "state.pending": "zu senden",
    "state.syncing": "gleicht ab", "state.paused": "angehalten",

    "remotes.title": "Wo Kopien liegen",
    "remotes.remote": "Ort",
    "remotes.where": "Adresse",
    "remotes.encrypted": "Verschlüsselt",
    "remotes.state": "Zustand",
    "remotes.lastSync": "Auf dem Stand",
    "remotes.good": "antwortet",
    "yes": "ja", "no": "nein",

    "undo": "Rückgängig",
    "undone": "Rückgängig gemacht.",

    "collections": "Arten von Einträgen",
    "search.label": "Gesuchte Wörter", "search.go": "Suchen", "search.none": "Nichts gefunden.",
    "search.previous": "Vorige Seite", "search.next": "Nächste Seite",
    "record.id": "Kennung", "record.modified": "Geändert", "record.new": "Neuer Eintrag",
    "record.idHelp": "Bleibt sie leer, bekommt der Eintrag eine neue, wo seine Art das erlaubt.",
    "record.parent": "Gehört zu", "record.deleted": "gelöscht", "record.conflicted": "Konflikt",
    "record.add": "Hinzufügen", "record.save": "Speichern", "record.remove": "Löschen",
    "record.restore": "Wiederherstellen", "record.added": "Hinzugefügt.",
    "record.changed": "Geändert.",
    "record.unchanged": "Nichts war anders; es wurde nichts geändert.",
    "record.removed": "Gelöscht.", "record.restored": "Wiederhergestellt.",

    "import": "Import und Export",
    "import.title": "Eine Datei importieren",
    "import.about": """
    Wählen Sie eine Datei oder legen Sie sie hier ab. Zuerst sehen Sie, was sie ändern würde; geschrieben wird \
    erst, wenn Sie zustimmen. Die Datei bleibt auf diesem Rechner.
    """,
    "import.file": "Datei", "import.look": "Zeigen, was sie ändern würde",
    "import.running": "Liest die Datei …", "import.importing": "Importiert …",
    "import.none": "Wählen Sie zuerst eine Datei.",
    "import.gone": "Die Datei ist nicht mehr da. Wählen Sie sie noch einmal.",
    "import.discarded": "Die Datei wurde verworfen; es wurde nichts geschrieben.",
    "import.of": "{0} importieren", "import.go": "Importieren", "import.discard": "Verwerfen",
    "import.withoutBad": "Fehlerhafte Zeilen auslassen",
    "import.would": """
    Neu wären: {0}, geändert: {1}, unverändert: {2}. Noch ist nichts geschrieben.
    """,
    "import.done": "Importiert. Neu: {0}, geändert: {1}, unverändert: {2}.",
    "import.tooLong": """
    Sie würde mehr ändern, als diese Seite zeigen kann. Importieren können Sie sie trotzdem.
    """,
    "import.more": "und {0} weitere",
    "import.kinds": "Was die Datei enthält", "import.kind": "Art der Zeile",
    "import.rows": "Zeilen", "import.added": "Neu", "import.changed": "Geändert",
    "import.unchanged": "Unverändert", "import.bad": "Fehlerhaft",
    "import.passedOver": "Ausgelassen", "import.errors": "Fehlerhafte Zeilen",
    "import.row": "Zeile", "import.column": "Spalte", "import.message": "Was nicht stimmt",
    "import.remarks": "Hinweise", "import.plan": "Die ersten Änderungen",
    "import.record": "Eintrag", "import.what": "Änderung", "import.field": "Feld",
    "import.before": "Vorher", "import.after": "Nachher",
    "import.again": "Anders lesen",
    "import.option.skip-bad": "Fehlerhafte Zeilen auslassen und die anderen schreiben",
    "import.option.hints": "Nur Paare lernen, die das Verzeichnis bestätigt",
    "import.option.encoding": "Kodierung des Textes, etwa windows-1251",
    "import.option.list": "Liste für Titel, die keine nennen",
    "import.option.scale": "Beste mögliche Bewertung, etwa 5 oder 10",
    "import.option.viewer": "Profil, dessen Gesehenes übernommen wird",
    "import.option.date-format": "Reihenfolge der Zahlen in Daten, etwa d/m/y",
    "import.option.subject": "Person oder Tier",
    "import.option.time-zone": "Zeitzone für Zeiten ohne Zone, etwa Europe/Berlin",
    "import.option.every-reading": "Jede Messung einer dichten Reihe behalten",
    "import.option.ignore-other-columns": "Spalten überspringen, die nicht verstanden werden",

    "export.title": "In eine Datei exportieren",
    "export.about": """
    Wer die Datei hat, kann sie lesen, auch wenn Ihre Kopien verschlüsselt sind.
    """,
    "export.format": "Format", "export.collection": "Art der Einträge",
    "export.all": "Was das Format umfasst", "export.private": "Mit privaten Notizen",
    "export.go": "Exportieren",
    "format.json": "JSON", "format.csv": "Tabelle (CSV)",
    "format.records": "Alle Einträge, als Sicherung", "format.geojson": "GeoJSON, für Karten",
    "format.markdown": "Seite in Markdown", "format.letterboxd": "Letterboxd",
    "format.fhir": "FHIR R4B", "format.fhir-r5": "FHIR R5",
    "format.app": "Export der App für eine Person oder ein Tier",
    "format.cloud": "Datensätze der Cloud",

    "airports.lookup": "Einen Flughafen nachschlagen",
    "airports.code": "Code oder Wörter seines Namens",
    "airports.look": "Nachschlagen", "airports.matches": "Gefundene Flughäfen",
    "airports.iata": "IATA", "airports.icao": "ICAO", "airports.name": "Flughafen",
    "airports.place": "Stadt", "airports.source": "Von",
    "airports.from.reference": "Verzeichnis", "airports.from.manual": "Ihnen",
    "airports.add": "Einen Code zuordnen",
    "airports.doubts": "Vom Verzeichnis nicht bestätigt",
    "airports.doubtsAbout": """
    Das Verzeichnis vom {0} sagt etwas anderes oder kennt diese nicht. Es kann älter sein als Ihre Zuordnung.
    """,
    "airports.message": "Was das Verzeichnis sagt", "airports.correct": "Berichtigen",
    "airports.take": "{0} nehmen",
    "airports.map": "Karte",
    "airports.mapText.one": """
    Weltkarte mit dem Flughafen von 1 Zuordnung; die Tabelle führt ihn auf.
    """,
    "airports.mapText.many": """
    Weltkarte mit den Flughäfen von {0} Zuordnungen; die Tabelle führt sie auf.
    """,
    "airports.mapAbout": "Die blassen Punkte sind alle Flughäfen des Verzeichnisses.",

    "media.next": "Was als Nächstes kommt",
    "media.nothingNext": "Nichts wartet darauf, gesehen zu werden.",
    "media.title": "Titel", "media.what": "Als Nächstes", "media.do": "Was zu tun ist",
    "media.watched": "Gesehen", "media.watchedDone": "Als gesehen vermerkt.",
    "media.judge": "Gesehenes vermerken und bewerten",
    "media.titleWords": "Wörter des Titels", "media.episode": "Folge, etwa S01E02",
    "media.on": "Tag, wenn nicht heute", "media.rating": "Bewertung, etwa 9 oder 4.5/5",
    "media.rate": "Bewerten", "media.rated": "Bewertet.",
    "media.noRating": "Geben Sie eine Bewertung an, etwa 9.",
    "media.reason.in progress": "angefangen", "media.reason.not watched yet": "noch nicht gesehen",
    "media.reason.not started yet": "noch nicht angefangen",
    "media.lists": "Listen", "media.list": "Liste", "media.items": "Titel",
    "media.seen": "Gesehen", "media.about": "Beschreibung",
    "media.newList": "Name einer neuen Liste", "media.addList": "Liste hinzufügen",
    "media.add": "Einen Titel hinzufügen", "media.year": "Jahr",
    "media.tv": "Es ist eine Serie",
    "media.figures": "Filme: {0}, Serien: {1}, gesehene Filme: {2}.",
    "media.mean": "Mittlere Bewertung: {0} von 10.", "media.yearOf": "Das Jahr {0} im Rückblick",
    "media.summary": "Filme: {0}, Folgen: {1}, noch einmal gesehen: {2}, Stunden: {3}.",
    "media.calendar": """
    Kalender {0} mit {1} gesehenen Titeln; die Tabelle am Ende führt sie auf.
    """,
    "media.months": "Nach Monaten", "media.ratings": "Bewertungen", "media.genres": "Genres",
    "media.episodeName": "Folge",
    "media.events": "Was gesehen wurde",
    "media.day": "Tag",
    "media.again": "Noch einmal",

    "settings.none": "Hier hat noch keine App Einstellungen.", "settings.apps": "Apps",
    "settings.app": "App", "settings.here": "{0}: was auf diesem Gerät gilt",
    "settings.key": "Einstellung", "settings.value": "Wert", "settings.type": "Typ",
    "settings.origin": "Woher", "settings.hidden": "verborgen, weil es wie ein Geheimnis aussieht",
    "settings.empty": "leer",
    "settings.from.synced": "alle Geräte", "settings.from.override": "Geräte wie dieses",
    "settings.from.local": "nur dieses Gerät", "settings.from.default": "Vorgabe der App",
    "settings.from.none": "nicht gesetzt", "settings.from": "Aus {0}",
    "settings.files": "Dateien der App",
    "settings.filesAbout": """
    Die Seite einer Datei zeigt, wo sie von den Einstellungen abweicht.
    """,
    "settings.file": "Datei", "settings.differences": "Unterschiede",
    "settings.count.one": "1 Unterschied", "settings.count.many": "{0} Unterschiede",
    "settings.put": "Einen Wert setzen", "settings.anyType": "wie er aussieht",
    "settings.onlyHere": "Nur auf diesem Gerät",
    "settings.difference": "Wo Datei und Einstellungen sich unterscheiden",
    "settings.same": "Datei und Einstellungen stimmen überein.",
    "settings.inFile": "In der Datei", "settings.stored": "In den Einstellungen",
    "settings.changed": "Geändert von", "settings.by.file": "der App",
    "settings.by.stored": "den Einstellungen", "settings.by.both": "beiden",
    "settings.by.unknown": "nicht bekannt",
    "settings.apply": "Die Einstellungen in die Datei schreiben",
    "settings.applyAbout": """
    Das würde geschrieben. Die Datei, wie sie jetzt ist, wird aufgehoben.
    """,
    "settings.force": "Auch überschreiben, was die App geändert hat",
    "settings.applied": "Die Einstellungen stehen in der Datei.",
    "settings.capture": "Die Werte der Datei in die Einstellungen übernehmen",
    "settings.captureAbout": "Das würde gespeichert, auf jedem Gerät.",
    "settings.captured": "Die Werte stehen in den Einstellungen.",
    "settings.revert": "Einen früheren Stand der Datei zurückholen",
    "settings.revertAbout": """
    Die Einstellungen bleiben, wie sie sind; auch der jetzige Stand wird aufgehoben.
    """,
    "settings.state": "Stand", "settings.original": "Bevor cloudsync sie zum ersten Mal schrieb",
    "settings.earlier": "Stand {0}; 1 ist der neueste", "settings.reverted": "Zurückgeholt.",
    "settings.nothing": "Nichts.",
    "settings.line.written": "Geschrieben: {0}", "settings.line.removed": "Entfernt: {0}",
    "settings.line.unseen": "Unberührt, weil die App es geändert hat: {0}",
    "settings.line.backup": "Die Datei, wie sie war: {0}",

    "action.create": "angelegt", "action.set": "geändert", "action.delete": "gelöscht",
    "action.restore": "wiederhergestellt", "action.overridden": "überstimmt",
    "history.none": "Bisher wurde nichts getan.", "history.older": "Ältere",
    "history.more.one": "und 1 weitere Änderung", "history.more.many": "und {0} weitere Änderungen",

    "conflicts.none": "Es gibt keine Konflikte.",
    "conflicts.needed": "Zwei Geräte sind sich nicht einig. Welcher Wert stimmt?",
    "conflicts.decided": """
    Zwei Geräte hatten verschiedene Werte; die Regel für dieses Feld hat entschieden.
    """,
    "conflicts.clock": "Bei einem ging die Uhr falsch.",
    "conflicts.shown": "gilt jetzt", "conflicts.take": "Diesen Wert nehmen",
    "conflicts.settled": "Entschieden, auf jedem Gerät.",

    "devices.joined": "Aufgenommen", "devices.remark": "Anmerkung",
    "devices.signedOut": "abgemeldet", "devices.letGo": "entlassen",
    "devices.rename": "Dieses Gerät umbenennen", "devices.name": "Neuer Name",
    "devices.renamed": "Umbenannt.",

    "month.1": "Januar", "month.2": "Februar", "month.3": "März", "month.4": "April",
    "month.5": "Mai", "month.6": "Juni", "month.7": "Juli", "month.8": "August",
    "month.9": "September", "month.10": "Oktober", "month.11": "November", "month.12": "Dezember",

    "search.all": "Alle Einträge",
    "top.later": "Die Zusammenfassung zeigen, die alle diese Einträge ansieht",

    "collection.subject": "Menschen und Tiere", "collection.blood": "Messwert",
    "collection.drug": "Medikament", "collection.vaccination": "Impfung",
    "collection.allergy": "Allergie", "collection.illness": "Erkrankung",
    "collection.risk": "Risiko", "collection.history": "Vorgeschichte",
    "collection.document": "Dokument", "collection.weight": "Gewicht",
    "collection.doctor": "Arzt oder Ärztin", "collection.petCost": "Kosten eines Tieres",
    "collection.emergencyContact": "Notfallkontakt", "collection.bike": "Fahrrad",
    "collection.interval": "Wartungsintervall", "collection.serviceRecord": "Wartung",
    "collection.component": "Bauteil", "collection.installation": "Montage",
    "collection.total": "Summe der Fahrten",

    "subject.person": "Mensch", "subject.pet": "Tier",

    "scope.local": "nur auf diesem Gerät", "scope.synced": "auf Ihren Geräten",
    "scope.shared": "mit anderen geteilt",

    "health.people": "Menschen und Tiere", "health.noPeople": "Bisher ist niemand eingetragen.",
    "health.addPerson": "Mensch oder Tier hinzufügen",
    "health.editPerson": "Angaben zur Person bearbeiten", "health.born": "geboren",
    "health.entries.one": "1 Eintrag", "health.entries.many": "{0} Einträge",
    "health.due": "In den nächsten 30 Tagen fällig",
    "health.dueYear": "In den nächsten zwölf Monaten fällig",
    "health.nothingDue": "Nichts ist fällig.", "health.day": "Tag", "health.state": "Zustand",
    "health.what": "Was", "health.who": "Wer", "health.summary": "Zusammenfassung",
    "health.noneKnown": "Keine bekannt; das wurde erfragt und festgehalten.",
    "health.notRecorded": "Nichts ist eingetragen. Das heißt nicht, dass es keine gibt.",
    "health.noName": "(ohne Namen)", "health.span": "{0} bis {1}", "health.steps": "Schritte",
    "health.until": "bis {0}", "health.nextDue": "wieder fällig {0}",
    "health.refillDue": "Nachschub fällig {0}", "health.charts": "Messwerte",
    "health.noCharts": "Es gibt keine Messwerte mit Datum.", "health.weight": "Gewicht",
    "health.bloodPressure": "Blutdruck", "health.values.one": "1 Wert.",
    "health.values.many": "{0} Werte.", "health.pressures": "Systolisch {0}, diastolisch {1} mmHg.",
    "health.units": "Sie haben verschiedene Einheiten; darum gibt es kein Diagramm.",
    "health.latest": "Zuletzt: {0} ({1}).",
    "health.chartOf": "Diagramm: {0}. Die neuesten Zahlen stehen darunter.",
    "health.numbers": "Die neuesten Zahlen", "health.timeline": "Zeitleiste",
    "health.kinds": "Arten von Einträgen", "health.allKinds": "Alle", "health.kind": "Art",
    "health.entry": "Eintrag", "health.detail": "Einzelheiten", "health.newer": "Neuere",
    "health.page": "Seite {0} von {1}",

    "due.overdue": "überfällig", "due.due": "fällig", "due.vaccination": "Impfung",
    "due.refill": "Nachschub",

    "section.Allergies and intolerances": "Allergien und Unverträglichkeiten",
    "section.Medicines": "Medikamente", "section.Problems": "Erkrankungen",
    "section.Risks": "Risiken", "section.Emergency contacts": "Notfallkontakte",
    "section.Doctors": "Ärztinnen und Ärzte", "section.Vaccinations": "Impfungen",
    "section.Latest readings": "Letzte Messwerte", "section.History": "Vorgeschichte",
    "section.No longer current": "Nicht mehr aktuell", "section.Documents": "Dokumente",

    "fact.Born": "Geboren", "fact.Gender": "Geschlecht", "fact.Blood type": "Blutgruppe",
    "fact.Breed": "Rasse", "fact.Colour": "Farbe", "fact.Animal ID": "Chipnummer",
    "fact.Address": "Adresse", "fact.Insurance": "Versicherung",
    "fact.Insurance number": "Versichertennummer", "fact.Owner": "Halter",
    "fact.Vet": "Tierarztpraxis",

    "gender.Male": "männlich", "gender.Female": "weiblich", "gender.N/A": "keine Angabe",

    "status.completed": "abgeschlossen", "status.stopped": "abgesetzt", "status.ended": "beendet",
    "status.resolved": "ausgeheilt", "status.remission": "Remission",
    "status.inactive": "nicht aktiv", "status.on-hold": "ausgesetzt",
    "status.superseded": "ersetzt", "status.unconfirmed": "nicht bestätigt",
    "status.provisional": "vorläufig",
    "status.differential": "eine von mehreren möglichen Diagnosen", "status.presumed": "vermutet",
    "status.recurrence": "wiedergekehrt", "status.relapse": "Rückfall",
    "status.preliminary": "vorläufiges Ergebnis", "status.in-progress": "noch nicht abgeschlossen",
    "status.subpotent": "zu schwach, um zu zählen", "status.unknown": "Status unbekannt",
    "status.none-known": "keine bekannt",

    "emergency.link": "Notfallblatt", "emergency.title": "Notfall: {0}",
    "emergency.hint": """
    Drucken Sie diese Seite mit dem Menü Ihres Browsers (Strg+P, am Mac ⌘P). Gedruckt wird schwarz auf weiß, ohne \
    Navigation.
    """,
    "emergency.print": "Drucken", "emergency.bloodType": "Blutgruppe",
    "emergency.unknown": "nicht eingetragen", "emergency.contacts": "Notfallkontakte",
    "emergency.noContacts": "Niemand ist eingetragen.",
    "emergency.made": "Stand der Einträge: {0}. Eine Liste der Angaben, kein medizinisches Urteil.",

    "entry.title": "Eintrag hinzufügen", "entry.open": "Formular anzeigen", "entry.kind": "Art",
    "entry.text": "Was",
    "entry.text.help": """
    Ein Messwert wie 120/80 mmHg, ein Gewicht wie 72,5 kg, ein Medikament mit Dosierung oder ein Name.
    """,
    "entry.text.missing": "Schreiben Sie, worum es geht.", "entry.date": "Tag",
    "entry.date.help": "Messwerte und Gewichte ohne Tag bekommen die jetzige Zeit.",
    "entry.date.unused": "Kontakte haben keinen Tag.", "entry.due": "Wieder fällig",
    "entry.due.help": "Für eine Impfung oder den Nachschub eines Medikaments.",
    "entry.due.unused": "Das haben nur Impfungen und Medikamente.", "entry.phone": "Telefon",
    "entry.phone.help": "Für Ärztinnen, Ärzte und Notfallkontakte.",
    "entry.phone.unused": "Das haben nur Ärztinnen, Ärzte und Notfallkontakte.",
    "entry.remark": "Anmerkung", "entry.remark.help": "Weitere Einzelheiten.",

    "bike.noRides": """
    Dieses Gerät hat keine Fahrten und weiß darum nicht, was abgenutzt ist: 'cloudsync bike ride import' und \
    'cloudsync bike strava pull' holen sie; sie werden nicht abgeglichen.
    """,
    "bike.due": "Was fällig ist",
    "bike.noIntervals": """
    Es gibt keine Intervalle; 'cloudsync bike defaults FAHRRAD' fügt die üblichen hinzu.
    """,
    "bike.part": "Teil", "bike.state": "Zustand", "bike.used": "Verbraucht",
    "bike.dueOn": "Fällig am", "bike.done": "Erledigt", "bike.percent": "{0} %", "bike.of": "von",
    "bike.left": "noch {0}", "bike.over": "{0} darüber", "bike.rides.one": "1 Fahrt",
    "bike.rides.many": "{0} Fahrten", "bike.days.one": "1 Tag", "bike.days.many": "{0} Tage",
    "bike.servicedNow": "Jetzt gewartet", "bike.withDetails": "mit Tag und Kosten",
    "bike.serviced": "Die Wartung ist eingetragen; ihr Intervall beginnt von vorn.",
    "bike.recorded": "Die Wartung ist eingetragen.", "bike.serviceOf": "Wartung: {0}",
    "bike.last": "Letzte Wartung:", "bike.parts": "Fahrräder und Bauteile",
    "bike.noBikes": "Es gibt noch kein Fahrrad.", "bike.notMounted": "(nicht montiert)",
    "bike.log": "Wartungsbuch", "bike.noServices": "Keine Wartung ist eingetragen.",
    "bike.costs": "Kosten insgesamt: {0}", "bike.allServices": "Alle {0} Wartungen",
    "bike.bike": "Fahrrad", "bike.reset": "Intervall neu begonnen", "bike.hours": "Stunden",
    "bike.cost": "Kosten", "bike.note": "Notiz", "bike.months": "Fahrten nach Monaten",
    "bike.monthsImage": "Diagramm der Strecke je Monat; die Zahlen stehen in der Tabelle darunter.",
    "bike.month": "Monat", "bike.total": "Zusammen", "bike.inUnit": "Strecken in {0}",

    "wear.good": "gut", "wear.dueSoon": "bald fällig", "wear.overdue": "überfällig",
    "wear.unknown": "keine Fahrten hier",

    "service.date": "Tag", "service.date.help": "Leer heißt: jetzt.", "service.cost": "Kosten",
    "service.cost.help": "Eine Zahl ohne Währung.", "service.currency": "Währung",
    "service.currency.help": "Zum Beispiel EUR.", "service.note": "Notiz",
    "service.note.help": "Was getan wurde.",
    "service.keep": "Nur eintragen; das Intervall nicht neu beginnen",
    "service.save": "Wartung eintragen",
    "sharing": "Teilen", "cancel": "Abbrechen",
    "devices.revoke": "Zugang beenden",
    "pair.heading": "Ein weiteres Gerät aufnehmen",
    "pair.about": "Ein Code nimmt ein Gerät auf und gilt zehn Minuten.",
    "pair.make": "Code erstellen", "pair.running": "Erstellt einen Code …",
    "pair.title": "Ein Gerät aufnehmen",
    "pair.paste": "Öffnen Sie auf dem anderen Gerät ein Terminal und fügen Sie diesen Befehl ein:",
    "pair.command": "Befehl zum Einfügen", "pair.picture": "Dasselbe als QR-Code",
    "pair.expires": "Gültig bis",
    "pair.warning": "Wer diesen Code hat, bekommt Ihre Daten. Zeigen Sie ihn sonst niemandem.",
    "revoke.title": "Den Zugang von {0} beenden?",
    "revoke.about": """
    Das Gerät behält, was es hat, bekommt und sendet aber nichts mehr, bis es wieder aufgenommen wird. Was es \
    schon gesendet hat, bleibt.
    """,
    "revoke.code": "Wiederherstellungscode",
    "revoke.codeHelp": "Nötig, wo Ihre Daten verschlüsselt sind; sonst bleibt das Feld leer.",
    "revoke.do": "Zugang beenden", "revoke.running": "Beendet den Zugang …",
    "revoke.done": "Der Zugang ist beendet.",
    "role.reader": "darf lesen", "role.writer": "darf ändern", "role.owner": "gehört Ihnen",
    "role.removed": "entfernt", "role.left": "ausgeschieden",
    "role.make.writer": "Ändern erlauben", "role.make.reader": "Nur lesen lassen",
    "participant.pending": "eingeladen", "participant.accepted": "nimmt teil",
    "participant.removed": "entfernt",
    "share.none": "Sie teilen nichts, und niemand teilt etwas mit Ihnen.",
    "share.owner": "Gehört", "share.remove": "Entfernen", "share.stop": "Nicht mehr teilen",
    "share.leave": "Ausscheiden", "share.invite": "Einen Eintrag teilen", "share.what": "Was",
    "share.with": "Mit wem", "share.may": "Was die Person darf",
    "share.make": "Einladung erstellen", "share.running": "Lädt ein …",
    "share.accept": "Einladung annehmen", "share.link": "Link der Einladung",
    "share.title": "Einladung",
    "share.send": """
    Geben Sie diesen Link nur der eingeladenen Person; er gilt einmal.
    """,
    "share.run": """
    Sie öffnet ihn, oder gibt dies auf einem Gerät ein, das ein Konto auf dem Server hat:
    """,
    "share.already": "nimmt schon teil.", "share.role.done": "Geändert.",
    "share.remove.done": "Entfernt.", "share.stop.done": "Wird nicht mehr geteilt.",
    "share.compare":
      "Rufen Sie sich an und vergleichen Sie die Wörter, damit niemand dazwischen steht.",
    "share.own-words": "Ihre:", "share.same": "Die Wörter sind gleich",
    "share.unverified": "nicht verglichen", "share.verified": "verglichen",
    "share.verify.done": "Ihre Geräte merken sich, dass Sie die Wörter verglichen haben.",
    "share.leave.done": "Sie nehmen nicht mehr teil.", "share.accept.done": "Angenommen.",
  ]
}

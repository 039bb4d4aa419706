extension AdminWords {
  static let german: [String: String] = [
    "skip": "Zum Inhalt springen",
    "navigation": "Seiten",
    "nav.overview": "Übersicht",
    "nav.audit": "Protokoll",
    "signOut": "Abmelden",
    "back": "Zurück zur Übersicht",
    "none": "keine",
    "host": "der Betreiber",
    "unnamed": "ein Gerät ohne Namen",

    "entry.title": "Verwaltung dieses Servers",
    "entry.lead": "Diese Seiten sind für den Betreiber dieses Servers.",
    "entry.how": """
    Wenn Sie der Betreiber sind, geben Sie auf der Maschine des Servers diesen Befehl ein und öffnen Sie den Link, den \
    er ausgibt:
    """,
    "entry.command": "Befehl",
    "entry.have": "Ich habe einen Code",
    "entry.code": "Code",
    "entry.go": "Öffnen",
    "entry.help": """
    Der Befehl 'cloudsync server admin' gibt auf der Maschine des Servers einen Code aus. Er gilt einmal und zehn \
    Minuten lang. Dieser Browser wird abgemeldet, wenn die Seiten 30 Minuten nicht benutzt werden, spätestens aber \
    nach acht Stunden.
    """,

    "failure.title": "Hier gibt es nichts zu sehen",
    "failure.noAccess": "Diese Seite gibt es für Sie nicht.",
    "failure.unknownPage": "Diese Seite gibt es nicht.",
    "failure.gone": "Dieses Konto gibt es nicht oder nicht mehr.",
    "failure.usedCode": """
    Dieser Code ist benutzt, abgelaufen oder falsch. Erzeugen Sie mit 'cloudsync server admin' einen neuen.
    """,
    "failure.foreignForm": """
    Dieses Formular kam nicht von einer Seite dieses Servers, die in diesem Browser offen ist; es wurde nichts getan. \
    Wenn Sie sich gerade neu angemeldet haben, gehen Sie zurück, laden Sie die Seite neu und wiederholen Sie den \
    Schritt. Ein Proxy vor dem Server muss das Feld 'Host' weitergeben, oder in der Konfiguration muss 'server.url' \
    stehen.
    """,
    "failure.tooLarge": "Das ist mehr, als diese Seiten annehmen.",
    "failure.tooOften":
      "Zu viele Versuche. Warten Sie eine Minute und versuchen Sie es noch einmal.",
    "failure.wrongMethod": "So kann diese Seite nicht aufgerufen werden.",
    "failure.broken": "Der Server hat versagt; sein Protokoll sagt, warum.",

    "overview.title": "Übersicht",
    "overview.health": "Wie es dem Server geht",
    "overview.accounts": "Konten",
    "overview.backUp": "So machen Sie eine:",
    "fact.store": "Speicher",
    "fact.writable": "kann Daten speichern",
    "fact.unwritable": "kann gerade keine Daten speichern; das Protokoll des Servers sagt, warum",
    "fact.size": "Größe des Speichers",
    "fact.room": "Freier Platz",
    "fact.backup": "Letzte Sicherung mit dem Befehl",
    "fact.began": "Läuft seit",

    "accounts.name": "Name",
    "accounts.used": "Belegt",
    "accounts.quota": "Grenze",
    "accounts.devices": "Geräte",
    "accounts.seen": "Zuletzt gesehen",
    "accounts.state": "Zustand",
    "accounts.locked": "gesperrt",
    "accounts.full": "voll",
    "accounts.empty": "Es gibt noch keine Konten.",
    "accounts.total": "{0}, {1}",
    "accounts.first": "Erste Konten",
    "accounts.further": "Weitere Konten",
    "accounts.count.one": "1 Konto", "accounts.count.many": "{0} Konten",
    "devices.count.one": "1 Gerät", "devices.count.many": "{0} Geräte",
    "tokens.count.one": "1 Token", "tokens.count.many": "{0} Tokens",
    "changes.count.one": "1 Änderung", "changes.count.many": "{0} Änderungen",
    "shares.count.one": "1 geteilter Eintrag", "shares.count.many": "{0} geteilte Einträge",
    "guests.count.one": "1 Person nimmt teil", "guests.count.many": "{0} Personen nehmen teil",

    "invite.title": "Jemanden einladen",
    "invite.name": "Name des Kontos",
    "invite.go": "Link erzeugen",
    "invite.help": """
    Das Konto wird angelegt, wenn es keines mit diesem Namen gibt. Ein vorhandenes Konto bekommt einen Link für ein \
    weiteres Gerät, wenn jemand alle anderen verloren hat.
    """,
    "invite.badName": """
    Ein Name hat 1 bis 200 Byte in einer Zeile, ohne Steuerzeichen, Zeichen für die Schreibrichtung und andere \
    unsichtbare Zeichen.
    """,
    "invite.tooMany":
      "Das Konto hat so viele offene Links, wie es haben darf. Beenden Sie zuerst einige.",
    "invited.title": "Link für {0}",
    "invited.isNew": "Das Konto wurde angelegt.",
    "invited.isKnown": "Das Konto gibt es schon; der Link nimmt ein weiteres Gerät auf.",
    "invited.isLocked": """
    Das Konto ist gesperrt. Der Link nimmt kein Gerät auf, solange Sie es nicht entsperren.
    """,
    "invited.once": """
    Kopieren Sie den Link jetzt: Der Server behält ihn nicht und kann ihn nicht noch einmal zeigen.
    """,
    "invited.link": "Link",
    "invited.linkHelp": """
    Geben Sie ihn dieser Person und sonst niemandem. Wer ihn hat, kann ihn benutzen, einmal.
    """,
    "invited.command": "Befehl",
    "invited.commandHelp": "Oder fügen Sie dies auf dem Gerät in ein Terminal ein:",
    "invited.expires": "Der Link gilt für ein Gerät, bis {0}.",

    "account.isLocked": "Dieses Konto ist gesperrt seit",
    "account.records": "Änderungen",
    "account.created": "Angelegt",
    "account.id": "Kennung",
    "account.shares": "Geteilt",
    "account.sharing": "{0}; {1}",
    "account.holdings": "Was es speichert",
    "account.encrypted": """
    Die Geräte dieses Kontos verschlüsseln, was sie speichern. Dieser Server hat keinen Schlüssel: Er sieht Größen und \
    Zeiten, aber keine Namen und keine Inhalte.
    """,
    "account.invite": "Ein Gerät aufnehmen",
    "account.inviteHelp": """
    Erzeugt einen Link für ein Gerät, wenn jemand alle anderen verloren hat. Er wird einmal gezeigt.
    """,
    "account.allLines": "Das ganze Protokoll dieses Kontos",
    "holding.domain": "Art der Daten",
    "holding.segments": "Segmente",
    "holding.none": "Bisher ist nichts gespeichert.",
    "holding.opaque": "Verschlüsselter Teil {0}",
    "domain.vault-keys": "Schlüssel, von den Geräten versiegelt",
    "device.joined": "Aufgenommen",
    "device.by": "Aufgenommen von",
    "made.by": "Erzeugt von",
    "device.signedOut": "abgemeldet",
    "device.none": "Bisher wurde kein Gerät aufgenommen.",
    "token.title": "Tokens von Programmen",
    "token.scope": "Umfang",
    "token.used": "Zuletzt benutzt",
    "token.expires": "Endet",
    "token.over": "abgelaufen",
    "token.none": "Es gibt keine Tokens für Programme.",
    "token.help": """
    Um ein Token mit allem zu beenden, was damit erzeugt wurde, geben Sie auf der Maschine des Servers ein:
    """,
    "scope.read": "lesen", "scope.sync": "abgleichen", "scope.manage": "verwalten",
    "invitation.title": "Offene Links und Codes",
    "invitation.kind": "Art",
    "invitation.created": "Erzeugt",
    "invitation.end": "Beenden",
    "invitation.account": "Link für ein Gerät", "invitation.pairing": "Code eines Geräts",
    "invitation.share": "Einladung zu einem geteilten Eintrag, für",

    "quota.title": "Grenzen",
    "quota.help": """
    Ein leeres Feld heißt: keine Grenze. Was gespeichert ist, bleibt; über der Grenze kommt nichts dazu.
    """,
    "quota.bytes": "Platz",
    "quota.unit": "Einheit",
    "quota.plainBytes": "Byte",
    "quota.devicesHelp": "Kein Konto kann mehr als {0} Geräte haben.",
    "quota.go": "Grenzen setzen",
    "quota.bad": """
    Schreiben Sie Zahlen nur mit Ziffern, etwa 10 oder 1,5, und nicht mehr, als der Server erlaubt.
    """,

    "lock.title": "Sperren",
    "lock.help": """
    Innerhalb einer Sekunde weist der Server alle Geräte und Tokens dieses Kontos ab und sagt ihnen, warum. Die Daten \
    bleiben, auch für die, mit denen das Konto etwas teilt.
    """,
    "lock.go": "Konto sperren",
    "lock.unlock": "Konto entsperren",
    "lock.unlockHelp": "Die Geräte und Tokens dieses Kontos kommen wieder herein.",

    "removal.heading": "Entfernen",
    "removal.title": "{0} entfernen",
    "removal.go": "Konto entfernen",
    "removal.lead": "Das lässt sich nicht rückgängig machen. Von diesem Server verschwinden:",
    "removal.data": "was das Konto speichert: {0}, {1}",
    "removal.access": "der Zugang: {0}, {1}",
    "removal.shares": "was es teilt: {0}",
    "removal.kept": """
    Die Geräte des Kontos behalten ihre Daten und werden abgemeldet. Wer etwas von ihm geteilt bekam, behält eine \
    Kopie, die sich nicht mehr ändert.
    """,
    "removal.export":
      "Um eine Kopie zu behalten, geben Sie zuerst auf der Maschine des Servers ein:",
    "removal.exportLabel": "Befehl",
    "removal.typed": "Um das Konto zu entfernen, schreiben Sie seinen Namen:",
    "removal.name": "Name des Kontos",
    "removal.wrongName": "So heißt dieses Konto nicht; es wurde nichts entfernt.",
    "removal.cancel": "Konto behalten",

    "done.locked": "Das Konto ist gesperrt.",
    "done.unlocked": "Das Konto ist entsperrt.",
    "done.quota": "Die Grenzen sind gesetzt.",
    "done.removed": "Das Konto wurde entfernt.",
    "done.ended": "Der Link oder Code ist beendet.",

    "audit.title": "Protokoll",
    "audit.of": "Protokoll von {0}",
    "audit.lead": """
    Was der Betreiber getan hat, mit Befehlen oder auf diesen Seiten, auch mit Konten, die es nicht mehr gibt.
    """,
    "audit.at": "Wann",
    "audit.action": "Was",
    "audit.account": "Konto",
    "audit.name": "Welches",
    "audit.by": "Durch",
    "audit.byToken": "Token {0}",
    "audit.detail": "Einzelheiten",
    "audit.from": "Von wo",
    "audit.none": "Es gibt keine Zeilen.",
    "audit.older": "Ältere Zeilen",
    "audit.newest": "Neueste Zeilen",
    "place.local": "dieser Server", "place.guest": "ein Gast",

    "action.account.add": "Konto angelegt", "action.account.rename": "Konto umbenannt",
    "action.account.lock": "Konto gesperrt", "action.account.unlock": "Konto entsperrt",
    "action.account.quota": "Grenzen gesetzt", "action.account.remove": "Konto entfernt",
    "action.account.invite": "Link für ein Gerät erzeugt",
    "action.account.sign-out": "alle Geräte abgemeldet",
    "action.admin.link": "Link zu diesen Seiten erzeugt",
    "action.admin.open": "bei diesen Seiten angemeldet",
    "action.admin.sign-out": "von diesen Seiten abgemeldet",
    "action.bucket.replace": "Bucket der großen Inhalte ersetzt",
    "action.admin.revoke": "alle Anmeldungen bei diesen Seiten beendet",
    "action.server.restore": "Sicherung zurückgespielt",
    "action.invitation.end": "Link oder Code beendet", "action.code.end": "Code beendet",
    "action.device.join": "Gerät aufgenommen", "action.device.pair": "Code für ein Gerät erzeugt",
    "action.device.remove": "Gerät entfernt", "action.device.rename": "Gerät umbenannt",
    "action.token.make": "Token erzeugt", "action.token.revoke": "Token beendet",
    "action.segment.clear": "beschädigtes Segment entfernt",
    "action.share.make": "Eintrag geteilt", "action.share.end": "Teilen beendet",
    "action.share.invite": "zu einem Eintrag eingeladen",
    "action.share.uninvite": "Einladung zu einem Eintrag beendet",
    "action.share.accept": "nimmt an einem Eintrag teil",
    "action.share.leave": "nimmt nicht mehr teil",
    "action.share.remove": "vom Teilnehmen ausgeschlossen",
    "action.share.role": "Rolle beim Teilen geändert",
    "action.vault.add": "Tresor hinzugefügt", "action.vault.remove": "Tresor entfernt",
    "action.zone.erase": "Zone gelöscht",

    "load.title": "Last seit dem Start",
    "load.traffic": "Empfangen: {0}, gesendet: {1}. Zeiten sind in UTC.",
    "load.requests": "Anfragen",
    "load.perMinute": "je Minute",
    "load.all": "Alle",
    "load.failed": "Abgelehnt oder gescheitert",
    "load.refused": "Abgelehnt",
    "load.broken": "Gescheitert",
    "load.connections": "Verbindungen",
    "load.open": "Offen",
    "load.streams": "Ströme von Neuigkeiten",
    "load.refusals": "Verbindungen, die der Server geschlossen hat",
    "load.routes": "Die häufigsten Anfragen",
    "load.route": "Anfrage",
    "load.requests.alt": "Anfragen je Minute. Insgesamt: {0}. Abgelehnt oder gescheitert: {1}.",
    "load.connections.alt": "Verbindungen. Jetzt offen: {0}. Ströme von Neuigkeiten: {1}.",
    "load.refusals.alt": "Vom Server geschlossene Verbindungen: {0}.",
    "refusal.idle": "lange unbenutzt", "refusal.slow-request": "Anfrage zu langsam",
    "refusal.slow-reader": "Antwort nicht abgenommen", "refusal.malformed": "kein gültiges HTTP",
    "refusal.head-size": "Kopf zu groß", "refusal.too-many": "zu viele Verbindungen",
    "refusal.bad-request": "Anfrage nicht verstanden", "refusal.too-large": "Inhalt zu groß",
    "refusal.method-not-allowed": "unbekannte Methode",
    "refusal.unsupported-media": "unerwartete Kodierung",
  ]
}

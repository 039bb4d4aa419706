public import SyncKit

/// The drafts that an import would write, each after its parent.
///
/// - **Nothing is overwritten.** A field that has a value keeps it; only a newer rating replaces
///   an older one. So the same file again changes nothing, and neither does an old one.
/// - **One list per name.** An existing list is filled; among several of the same name the oldest.
/// - **One item per title** in the main list and the list of what is to be watched: it stays where it is.
/// - **Every viewing.** Two entries of one day are two events.
/// - **The same ids everywhere.** A file makes the same records on every device.
public struct ImportPlan: Sendable {
  /// A title that may be an existing one; it was added as another title.
  public struct PossibleDuplicate: Sendable {
    /// Its line in the file; nil where a file has no lines.
    public var row: Int?
    /// The file within an archive; nil outside of one.
    public var file: String?
    /// What it is called there.
    public var title: String
    /// The item of the library that may be the same.
    public var item: RecordKey
    /// The possible items.
    public var candidates: [RecordKey]
  }

  /// The drafts to write.
  public private(set) var drafts: [RecordDraft] = []
  /// The doubts for a person to review.
  public private(set) var doubts: [PossibleDuplicate] = []
  /// The values that cannot be written, with their places.
  public private(set) var faults: [ImportedRecords.Fault]
  /// Sentences about data left out on purpose.
  public private(set) var warnings: [String]

  private let library: LibraryView
  private let device: String
  private let source: String
  private var lastListOrder: OrderKey?

  /// Compares a file with the library; writes nothing.
  public init(_ imported: ImportedLibrary, into library: LibraryView, device: String) {
    self.library = library
    self.device = device
    source = imported.source
    faults = imported.faults
    warnings = imported.warnings
    lastListOrder = library.lists.last?[.order].string.flatMap { OrderKey($0) }
    for (place, list) in united(imported).enumerated()
    where !list.titles.isEmpty || (place != imported.main && place < imported.lists.count) {
      add(list)
    }
  }

  // MARK: Titles that are watched and to be watched

  /// The lists, in which no title is both in the main list and among those to be watched.
  ///
  /// A title that the library has in one of the two stays there; a new one belongs among those to be
  /// watched.
  private mutating func united(_ imported: ImportedLibrary) -> [ImportedList] {
    var lists = imported.lists
    guard let main = imported.main, let name = imported.watchlistName,
      lists.indices.contains(main), lists[main].name != name
    else { return lists }
    let wanted = lists.firstIndex { $0.name == name } ?? lists.count
    if wanted == lists.count {
      // A history alone: some of it may be in the list of what was to be watched.
      let list = ImportedList(name: name)
      guard knownList(list) != nil else { return lists }
      lists.append(list)
    }
    // What was watched does not move to a list that others may read.
    let scopes = [main, wanted].map { knownList(lists[$0])?.scope ?? .synced }
    guard scopes[0] == scopes[1] else {
      return lists.count > imported.lists.count ? imported.lists : lists
    }
    let watched = TitleIndex(lists[main].titles.map(\.identity))
    let known = knownTitles(lists[main])
    let planned = knownTitles(lists[wanted])
    var moved: Set<Int> = []
    var kept: [ImportedTitle] = []
    for title in lists[wanted].titles {
      let isInMain = known.has(title.identity)
      if case .same(let place) = watched.find(title.identity), !moved.contains(place) {
        guard isInMain else {
          moved.insert(place)
          var whole = title
          whole.takeHistory(of: lists[main].titles[place])
          kept.append(whole)
          continue
        }
        lists[main].titles[place].take(title)
      } else if isInMain {
        lists[main].titles.append(title)
      } else {
        kept.append(title)
        continue
      }
      warnings.append(
        "'\(title.title)' is to be watched too; it stays in the list '\(lists[main].name)'")
    }
    // What was to be watched when it was imported, and has been watched since.
    for (place, title) in lists[main].titles.enumerated()
    where !moved.contains(place) && !known.has(title.identity) && planned.has(title.identity) {
      moved.insert(place)
      kept.append(title)
    }
    lists[wanted].titles = kept
    lists[main].titles = lists[main].titles.enumerated().filter { !moved.contains($0.offset) }
      .map(\.element)
    return lists
  }

  private func knownTitles(_ list: ImportedList) -> TitleIndex {
    TitleIndex((knownList(list).map { library.items(of: $0.key) } ?? []).map { TitleIdentity($0) })
  }

  // MARK: Lists

  private mutating func add(_ list: ImportedList) {
    let known = knownList(list)
    let id =
      known?.key.id ?? list.id.map { RecordID($0) } ?? MediaID.list(from: source, named: list.name)
    let key = known?.key ?? .root(.list, id)
    var fields = missing(list.fields, in: known)
    fields[.name] = known?[.name] ?? .string(list.name)
    if let created = list.created { fields[.created] = .instant(created) }
    if known == nil,
      let order = OrderKey(after: lastListOrder, before: nil, device: device)
    {
      fields[.order] = .string(order.text)
      lastListOrder = order
    }
    guard
      append(RecordDraft(.list, id: id, fields: fields, at: list.created), row: nil, over: known)
    else { return }
    add(list.titles, to: key)
  }

  private func knownList(_ list: ImportedList) -> Record? {
    if let id = list.id, let same = library.lists.first(where: { $0.key.id == RecordID(id) }) {
      return same
    }
    return library.lists.filter { $0[.name].string == list.name.trimmed }
      .min { ($0.created, $0.key.id) < ($1.created, $1.key.id) }
  }

  // MARK: Items

  private mutating func add(_ titles: [ImportedTitle], to list: RecordKey) {
    let items = library.items(of: list)
    var index = TitleIndex(items.map { TitleIdentity($0) })
    var keys = items.map(\.key)
    var known: [Record?] = items.map { $0 }
    var last = items.compactMap { $0[.order].string.flatMap { OrderKey($0) } }.max()
    var ids = Set(keys.map(\.id))
    let seconds = Self.seconds(of: titles, in: list)
    for (number, title) in titles.enumerated() {
      var place = keys.count
      var candidates: [Int] = []
      switch index.find(title.identity) {
      case .same(let found):
        place = found
        index.learn(title.identity, at: found)
      case .doubtful(let found): candidates = found
      case .none: break
      }
      guard place == keys.count else {
        add(title, as: keys[place], over: known[place], in: list, order: nil)
        continue
      }
      var id = title.identity.item(in: list.id, isSecond: seconds.contains(number))
      if ids.contains(id) { id = title.identity.item(in: list.id, isSecond: true) }
      if !candidates.isEmpty {
        doubts.append(
          PossibleDuplicate(
            row: title.row, file: title.file, title: title.title,
            item: RecordKey(zone: list.zone, collection: .item, id: id),
            candidates: candidates.map { keys[$0] }))
      }
      if ids.contains(id) {
        // Nothing tells it from the title that has this id.
        place = keys.firstIndex { $0.id == id } ?? place
        add(title, as: keys[place], over: known[place], in: list, order: nil)
        continue
      }
      ids.insert(id)
      index.add(title.identity)
      keys.append(RecordKey(zone: list.zone, collection: .item, id: id))
      known.append(nil)
      last = OrderKey(after: last, before: nil, device: device)
      add(title, as: keys[place], over: nil, in: list, order: last)
    }
  }

  /// The titles that share their id with one whose distinction comes first in the alphabet.
  ///
  /// So the same films get the same ids, whatever their order in a file.
  private static func seconds(of titles: [ImportedTitle], in list: RecordKey) -> Set<Int> {
    var groups: [RecordID: [Int]] = [:]
    for (number, title) in titles.enumerated() where title.identity.distinction != nil {
      groups[title.identity.item(in: list.id), default: []].append(number)
    }
    var seconds: Set<Int> = []
    for group in groups.values where group.count > 1 {
      let first = group.compactMap { titles[$0].identity.distinction }.min()
      seconds.formUnion(group.filter { titles[$0].identity.distinction != first })
    }
    return seconds
  }

  private mutating func add(
    _ title: ImportedTitle, as key: RecordKey, over item: Record?, in list: RecordKey,
    order: OrderKey?
  ) {
    var fields = missing(title.identity.fields, in: item)
    for (name, value) in missing(title.fields, in: item) { fields[name] = value }
    fields[.title] = item?[.title] ?? .string(title.title)
    if let order { fields[.order] = .string(order.text) }
    if let added = title.added { fields[.created] = .instant(added) }
    if let rating = title.rating { add(rating, to: &fields, over: item) }
    let isSeries = title.identity.type == .tv
    let days = title.watches.filter { $0.episode == nil }
    if isSeries { addProgress(of: title, to: &fields, over: item) }
    if title.isWatched || (!isSeries && !days.isEmpty), item?[.watched].isNull ?? true {
      fields[.watched] = true
      if let latest = days.map({ $0.at ?? $0.day.milliseconds }).max() {
        fields[.watchedDate] = .instant(latest)
      }
      if item?[.watchStatus].isNull ?? true, title.fields[.watchStatus] == nil {
        fields[.watchStatus] = .int(WatchStatus.finished.rawValue)
      }
    }
    let draft = RecordDraft(.item, id: key.id, parent: list, fields: fields, at: title.added)
    guard append(draft, row: title.row, file: title.file, over: item) else { return }
    let byEpisode = Dictionary(grouping: title.watches) { $0.episode }
    for episode in title.episodes {
      add(episode, watched: byEpisode[episode.number] ?? [], of: key, title)
    }
    addViewings(of: title, to: key)
    for note in title.notes { add(note, on: key, title) }
  }

  private func add(
    _ imported: ImportedRating, to fields: inout [FieldName: Value], over record: Record?
  ) {
    if let known = record?[.rating], !known.isNull {
      guard let at = imported.at, at > record?[.ratedDate].instant ?? .max else { return }
    }
    fields[.rating] = .double(imported.rating.value)
    fields[.scale] = .int(imported.rating.scale)
    if let at = imported.at { fields[.ratedDate] = .instant(at) }
  }

  private mutating func add(
    _ episode: ImportedEpisode, watched days: [ImportedWatch], of item: RecordKey,
    _ title: ImportedTitle
  ) {
    let id = MediaID.episode(
      of: item.id, season: episode.number.season, number: episode.number.number)
    let key = RecordKey(zone: item.zone, collection: .episode, id: id)
    let known = library.detail(key)
    var fields = missing(episode.fields, in: known)
    fields[.season] = .int(episode.number.season)
    fields[.number] = .int(episode.number.number)
    if let rating = episode.rating { add(rating, to: &fields, over: known) }
    if episode.isWatched || !days.isEmpty, known?[.watched].isNull ?? true {
      fields[.watched] = true
      if let latest = days.map({ $0.at ?? $0.day.milliseconds }).max() {
        fields[.watchedDate] = .instant(latest)
      }
    }
    let draft = RecordDraft(.episode, id: id, parent: item, fields: fields)
    guard append(draft, row: title.row, file: title.file, over: known) else { return }
    for note in episode.notes { add(note, on: key, title) }
  }

  /// A series remembers when it was last watched, and is under way once an episode was.
  private func addProgress(
    of title: ImportedTitle, to fields: inout [FieldName: Value], over item: Record?
  ) {
    if let last = title.watches.map({ $0.at ?? $0.day.milliseconds }).max(),
      last > item?[.lastWatched].instant ?? .min
    {
      fields[.lastWatched] = .instant(last)
    }
    let hasBegun = !title.watches.isEmpty || title.episodes.contains(where: \.isWatched)
    if hasBegun, !title.isWatched, item?[.watchStatus].isNull ?? true,
      fields[.watchStatus] == nil
    {
      fields[.watchStatus] = .int(WatchStatus.current.rawValue)
    }
  }

  // MARK: Viewings

  private struct Occasion: Hashable {
    var day: Day
    var episode: EpisodeNumber?
    var episodeName: String?
  }

  /// Adds the events of a title: those of one day and episode are matched with the known ones, and
  /// only as many are new as there are more of them.
  private mutating func addViewings(of title: ImportedTitle, to item: RecordKey) {
    var known: [Occasion: [Record]] = [:]
    for record in library.watches(of: item) {
      guard let day = record[.date].string.flatMap(Day.init) else { continue }
      var episode: EpisodeNumber?
      if let season = record[.season].int, let number = record[.number].int {
        episode = EpisodeNumber(season: season, number: number)
      }
      known[Occasion(day: day, episode: episode, episodeName: record[.name].string), default: []]
        .append(record)
    }
    var used = Set(library.watches(of: item).map(\.key.id))
    let occasions = Dictionary(grouping: title.watches.indices) { place in
      let watch = title.watches[place]
      return Occasion(day: watch.day, episode: watch.episode, episodeName: watch.episodeName)
    }
    let inOrder = occasions.sorted { ($0.value.first ?? 0) < ($1.value.first ?? 0) }
    for (occasion, places) in inOrder {
      var rest = known[occasion] ?? []
      var matched: [Int: Record] = [:]
      let pairs = places.flatMap { place in
        rest.map { (place, $0, Self.likeness(title.watches[place], $0)) }
      }
      for (place, record, _) in pairs.sorted(by: {
        ($1.2, $0.0, $0.1.key.id) < ($0.2, $1.0, $1.1.key.id)
      })
      where matched[place] == nil && rest.contains(where: { $0.key == record.key }) {
        matched[place] = record
        rest.removeAll { $0.key == record.key }
      }
      for place in places {
        if let record = matched[place] {
          add(title.watches[place], as: record.key.id, of: item, title)
          continue
        }
        var viewing = 1
        var id = RecordID("")
        repeat {
          id = MediaID.watch(
            of: item.id, on: occasion.day.description,
            episode: occasion.episode.map { ($0.season, $0.number) }, viewing: viewing)
          viewing += 1
        } while !used.insert(id).inserted
        add(title.watches[place], as: id, of: item, title)
      }
    }
  }

  /// How much an entry of a file and a known event of its day have in common.
  private static func likeness(_ watch: ImportedWatch, _ record: Record) -> Int {
    func compare<T: Equatable>(_ left: T?, _ right: T?) -> Int {
      guard let left, let right else { return 0 }
      return left == right ? 2 : -1
    }
    return compare(watch.at, record[.at].instant) + compare(watch.rating, Rating(record))
      + compare(watch.review, record[.review].text)
      + compare(watch.isRewatch, record[.rewatch].bool)
  }

  private mutating func add(
    _ watch: ImportedWatch, as id: RecordID, of item: RecordKey, _ title: ImportedTitle
  ) {
    let known = library.detail(RecordKey(zone: item.zone, collection: .watch, id: id))
    var fields: [FieldName: Value] = [.source: .string(source)]
    if let at = watch.at { fields[.at] = .instant(at) }
    if let episode = watch.episode {
      fields[.season] = .int(episode.season)
      fields[.number] = .int(episode.number)
    }
    if let name = watch.episodeName { fields[.name] = .string(name) }
    if let isRewatch = watch.isRewatch { fields[.rewatch] = .bool(isRewatch) }
    if let rating = watch.rating {
      fields[.rating] = .double(rating.value)
      fields[.scale] = .int(rating.scale)
    }
    if let review = watch.review { fields[.review] = .string(review) }
    if !watch.tags.isEmpty { fields[.tags] = .list(watch.tags.map { .string($0) }) }
    fields = missing(fields, in: known)
    fields[.date] = .string(watch.day.description)
    append(
      RecordDraft(.watch, id: id, parent: item, fields: fields), row: title.row, file: title.file,
      over: known)
  }

  private mutating func add(_ note: ImportedNote, on parent: RecordKey, _ title: ImportedTitle) {
    let id =
      note.id.map { RecordID($0) } ?? RecordID("note-\(MediaID.tag("\(parent)\u{0}\(note.text)"))")
    let known = library.detail(
      RecordKey(
        zone: note.isPrivate ? .local : parent.zone,
        collection: note.isPrivate ? .privateNote : .note, id: id))
    var fields: [FieldName: Value] = [.noteText: known?[.noteText] ?? .string(note.text)]
    if let created = note.created { fields[.created] = .instant(created) }
    if note.isPrivate { fields[.about] = .string("\(parent)") }
    append(
      RecordDraft(
        note.isPrivate ? .privateNote : .note, id: id, parent: note.isPrivate ? nil : parent,
        fields: fields, at: note.created), row: title.row, file: title.file, over: known)
  }

  // MARK: Drafts

  /// The fields for which a record has no value.
  private func missing(_ fields: [FieldName: Value], in record: Record?) -> [FieldName: Value] {
    guard let record else { return fields }
    return fields.filter { record[$0.key].isNull }
  }

  /// Takes a draft that the domain accepts; one that it refuses becomes a fault.
  @discardableResult
  private mutating func append(
    _ draft: RecordDraft, row: Int?, file: String? = nil, over record: Record?
  ) -> Bool {
    var checked = draft
    do {
      try MediaRules.normalize(&checked.fields, of: draft.collection)
      try MediaRules.complete(&checked, over: record)
    } catch let error as SyncError {
      let place = file.map { "\($0): " } ?? ""
      faults.append(ImportedRecords.Fault(row: row, message: place + error.message))
      return false
    } catch { return false }
    drafts.append(draft)
    return true
  }
}

public import SyncKit

/// The drafts that an import would write, each after its parent.
///
/// - **Nothing is overwritten.** A field that has a value keeps it; only a newer rating replaces
///   an older one. So the same file again changes nothing, and neither does an old one.
/// - **One list per name.** An existing list is filled; among several of the same name the oldest.
/// - **The same ids everywhere.** A file makes the same records on every device.
public struct ImportPlan: Sendable {
  /// A title that may be an existing one; it was added as another title.
  public struct PossibleDuplicate: Sendable {
    public var row: Int?
    public var file: String?
    public var title: String
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
  public let warnings: [String]

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
    for list in imported.lists { add(list) }
  }

  // MARK: Lists

  private mutating func add(_ list: ImportedList) {
    let known = knownList(list)
    let id =
      known?.key.id ?? list.id.map { Name($0) } ?? MediaID.list(from: source, named: list.name)
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
    if let id = list.id, let same = library.lists.first(where: { $0.key.id == Name(id) }) {
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
    for title in titles {
      let place: Int
      switch index.find(title.identity) {
      case .same(let found):
        place = found
        index.learn(title.identity, at: found)
      case .doubtful(let found):
        place = keys.count
        doubts.append(
          PossibleDuplicate(
            row: title.row, file: title.file, title: title.title,
            item: RecordKey(
              zone: list.zone, collection: .item, id: title.identity.item(in: list.id)),
            candidates: found.map { keys[$0] }))
        index.add(title.identity)
      case .none:
        place = keys.count
        index.add(title.identity)
      }
      if place == keys.count {
        keys.append(
          RecordKey(zone: list.zone, collection: .item, id: title.identity.item(in: list.id)))
        known.append(nil)
        last = OrderKey(after: last, before: nil, device: device)
        add(title, as: keys[place], over: nil, in: list, order: last)
      } else {
        add(title, as: keys[place], over: known[place], in: list, order: nil)
      }
    }
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
    let days = title.watches.filter { $0.episode == nil }
    if title.isWatched || !days.isEmpty, item?[.watched].isNull ?? true {
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
    for watch in title.watches { add(watch, of: key, title) }
    for note in title.notes { add(note, on: key, title) }
  }

  private func add(
    _ imported: ImportedRating, to fields: inout [Name: Value], over record: Record?
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

  private mutating func add(_ watch: ImportedWatch, of item: RecordKey, _ title: ImportedTitle) {
    let id = MediaID.watch(
      of: item.id, on: watch.day.description,
      episode: watch.episode.map { ($0.season, $0.number) })
    let known = library.detail(RecordKey(zone: item.zone, collection: .watch, id: id))
    var fields: [Name: Value] = [.source: .string(source)]
    if let at = watch.at { fields[.at] = .instant(at) }
    if let episode = watch.episode {
      fields[.season] = .int(episode.season)
      fields[.number] = .int(episode.number)
    }
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
    let id = note.id.map { Name($0) } ?? Name("note-\(MediaID.tag("\(parent)\u{0}\(note.text)"))")
    let known = library.detail(
      RecordKey(
        zone: note.isPrivate ? .local : parent.zone,
        collection: note.isPrivate ? .privateNote : .note, id: id))
    var fields: [Name: Value] = [.noteText: known?[.noteText] ?? .string(note.text)]
    if let created = note.created { fields[.created] = .instant(created) }
    if note.isPrivate { fields[.about] = .string("\(parent)") }
    append(
      RecordDraft(
        note.isPrivate ? .privateNote : .note, id: id, parent: note.isPrivate ? nil : parent,
        fields: fields, at: note.created), row: title.row, file: title.file, over: known)
  }

  // MARK: Drafts

  /// The fields for which a record has no value.
  private func missing(_ fields: [Name: Value], in record: Record?) -> [Name: Value] {
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

import SyncKit

/// Copies items into a list, and merges those that it already has.
///
/// Where both have a value, the list's stays, except for values that only grow: watched stays
/// watched, the later date of watching counts, and the newer rating.
struct ItemUnion {
  private let transaction: WriteTransaction
  private let library: LibraryView
  private let device: String
  private let list: RecordKey
  private var index: TitleIndex
  private var items: [Record]
  private var last: OrderKey?

  init(
    _ transaction: WriteTransaction, _ library: LibraryView, device: String, into list: RecordKey
  ) {
    self.transaction = transaction
    self.library = library
    self.device = device
    self.list = list
    items = library.items(of: list)
    index = TitleIndex(items.map { TitleIdentity($0) })
    last = items.compactMap { $0[.order].string.flatMap { OrderKey($0) } }.max()
  }

  /// Copies an item of another list.
  mutating func add(_ item: Record) throws {
    let identity = TitleIdentity(item)
    if case .same(let place) = index.find(identity) {
      index.learn(identity, at: place)
      try unite(item, into: items[place])
      return
    }
    var fields = item.fields.filter { $0.key != .order }
    last = OrderKey(after: last, before: nil, device: device)
    if let last { fields[.order] = .string(last.text) }
    let id = Self.copiedID(of: item, identity, in: list)
    var draft = RecordDraft(.item, id: id, parent: list, fields: fields)
    draft.others = item.others
    let key = try transaction.save(draft).key
    if let copy = try transaction.record(key) {
      items.append(copy)
      index.add(identity)
    }
    try copyDetails(of: item, to: key)
  }

  /// Adds to an item the values of another of the same film or series.
  func unite(_ item: Record, into kept: Record) throws {
    var fields = item.fields.filter { kept[$0.key].isNull && $0.key != .order }
    if kept[.watched].bool != true, item[.watched].bool == true {
      fields[.watched] = true
      fields[.watchedDate] = item[.watchedDate]
    } else if kept[.watched].bool == true {
      fields[.watched] = nil
      fields[.watchedDate] = Self.later(item[.watchedDate], than: kept[.watchedDate])
    }
    for name in [FieldName.rating, .scale, .ratedDate] { fields[name] = nil }
    let isNewer = item[.ratedDate].instant ?? .min > kept[.ratedDate].instant ?? .min
    if !item[.rating].isNull, kept[.rating].isNull || isNewer {
      for name in [FieldName.rating, .scale, .ratedDate] { fields[name] = item[name] }
    }
    fields[.lastWatched] = Self.later(item[.lastWatched], than: kept[.lastWatched])
    for name in [FieldName.created] where item[name].instant != nil { fields[name] = item[name] }
    if case .list(let own) = kept[.tags], case .list(let others) = item[.tags] {
      fields[.tags] = .list(own + others.filter { !own.contains($0) })
    }
    let others = item.others.filter { kept.others[$0.key] == nil }
    if !fields.isEmpty || !others.isEmpty {
      try transaction.edit(kept.key, fields, others: others)
    }
    try copyDetails(of: item, to: kept.key)
  }

  /// The later of two times; nil when the first is not later.
  private static func later(_ value: Value, than known: Value) -> Value? {
    guard let time = value.instant, time > known.instant ?? .min else { return nil }
    return value
  }

  /// The id of the copy: that of the same film there, else one that follows from the item's own.
  private static func copiedID(
    of item: Record, _ identity: TitleIdentity, in list: RecordKey
  ) -> RecordID {
    MediaID.item(in: list.id, type: identity.type, tmdb: identity.tmdb, imdb: identity.imdb)
      ?? RecordID("\(identity.type.rawValue)-\(MediaID.tag("\(list.id)\u{0}\(item.key.id)"))")
  }

  private func copyDetails(of item: Record, to key: RecordKey) throws {
    for episode in library.episodes(of: item.key) {
      guard let season = episode[.season].int, let number = episode[.number].int else { continue }
      let id = MediaID.episode(of: key.id, season: season, number: number)
      let copy = RecordKey(zone: key.zone, collection: .episode, id: id)
      let there = try transaction.record(copy).flatMap { $0.isDeleted ? nil : $0 }
      var fields = episode.fields.filter { there?[$0.key].isNull ?? true }
      if episode[.watched].bool == true, there?[.watched].bool != true {
        fields[.watched] = true
        fields[.watchedDate] = episode[.watchedDate]
      }
      fields[.season] = .int(season)
      fields[.number] = .int(number)
      try save(RecordDraft(.episode, id: id, parent: key, fields: fields), as: episode, there)
      try copyNotes(on: episode.key, to: copy)
    }
    for watch in library.watches(of: item.key) {
      guard let date = watch[.date].string else { continue }
      var episode: (season: Int64, number: Int64)?
      if let season = watch[.season].int, let number = watch[.number].int {
        episode = (season, number)
      }
      let id = MediaID.watch(
        of: key.id, on: date, episode: episode,
        viewing: MediaID.viewing(watch.key.id, of: item.key.id, on: date))
      let there = try transaction.record(
        RecordKey(zone: key.zone, collection: .watch, id: id)
      ).flatMap { $0.isDeleted ? nil : $0 }
      var fields = watch.fields.filter { there?[$0.key].isNull ?? true }
      fields[.date] = .string(date)
      try save(RecordDraft(.watch, id: id, parent: key, fields: fields), as: watch, there)
    }
    try copyNotes(on: item.key, to: key)
  }

  /// Writes a copy, including values of the original that are not fields of its schema.
  private func save(_ draft: RecordDraft, as original: Record, _ there: Record? = nil) throws {
    var draft = draft
    draft.others = original.others.filter { there?.others[$0.key] == nil }
    try transaction.save(draft)
  }

  private func copyNotes(on source: RecordKey, to target: RecordKey) throws {
    for note in library.notes(of: source) {
      let id = RecordID("note-\(MediaID.tag("\(target)\u{0}\(note.key.id)"))")
      try save(RecordDraft(.note, id: id, parent: target, fields: note.fields), as: note)
    }
    for note in library.privateNotes(of: source) {
      try transaction.edit(note.key, [.about: .string("\(target)")])
    }
  }
}

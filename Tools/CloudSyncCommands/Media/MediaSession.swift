import ArgumentParser
import CommandFoundation
import MediaLibrary
import SyncKit

/// The context of the media commands: the store, the current lists, this device, today.
struct MediaSession {
  let context: CommandContext
  let session: Session
  let store: SyncStore
  let library: LibraryView
  let isRehearsal: Bool

  /// Opens the store and reads the lists; a dry run leaves nothing in it.
  init(_ context: CommandContext, isRehearsal: Bool = false) throws {
    self.context = context
    self.isRehearsal = isRehearsal
    session = try Session(context)
    store = try session.store(MediaRegistration.domain.name, isRehearsal: isRehearsal)
    library = try LibraryView(store)
  }

  /// The id of this device.
  var device: String { store.device.id }
  /// Milliseconds since 1970.
  var now: Int64 { context.terminal.now() }
  /// Today in UTC.
  var today: Day { Day(milliseconds: now) }

  /// Writes one batch and returns its result.
  ///
  /// `body` returns the records that it has changed; a dry run compares them with the records before.
  func write(_ body: (WriteTransaction) throws -> [RecordKey]) throws -> WriteResult {
    let (touched, summary) = try store.write { transaction -> [(RecordKey, Record?)] in
      let keys = try body(transaction)
      return isRehearsal ? try keys.map { ($0, try transaction.record($0)) } : []
    }
    var result = WriteResult(summary, isRehearsed: isRehearsal)
    guard isRehearsal else { return result }
    // A dry run keeps no writes, so the store shows the records before.
    result.plan = try touched.flatMap { key, after -> [RecordChange] in
      guard let after else { return [] }
      if after.isDeleted { return [RecordChange(.delete, key)] }
      return RecordChange.between(try store.record(key), and: after)
    }
    return result
  }

  /// The one list that a word names.
  ///
  /// - Throws: ``SyncError`` `record.not-found` when none or several have that name.
  func list(_ query: String) throws -> Record {
    if let list = library.list(matching: query) { return list }
    let names = library.lists.compactMap { $0["name"].string }
    let twins = library.lists.filter { $0["name"].string == query }
    guard twins.count < 2 else {
      throw SyncError(
        .notFound, "\(twins.count) lists are called '\(Sanitized.line(query))'",
        hint: "name one by its id: \(twins.map(\.key.id.text).joined(separator: ", "))")
    }
    let near = NearestName.hint(for: query, among: names)
    throw SyncError(
      .notFound, "there is no list '\(Sanitized.line(query))'",
      hint: near
        ?? (names.isEmpty
          ? "make one with 'cloudsync media lists --add NAME'"
          : "the lists are \(Sanitized.line(names.prefix(12).joined(separator: ", ")))"))
  }

  /// The list for a new item: the named one, the default one, or the only one.
  func listForAdding(_ query: String?) throws -> Record {
    if let query { return try list(query) }
    if let marked = library.lists.first(where: { $0["isDefault"].bool == true }) { return marked }
    if library.lists.count == 1, let only = library.lists.first { return only }
    throw SyncError(
      .usage, library.lists.isEmpty ? "there is no list yet" : "there are several lists",
      hint: library.lists.isEmpty
        ? "make one with 'cloudsync media lists --add NAME'" : "choose one with --list NAME")
  }

  /// The one item that words name.
  ///
  /// Of a title in several lists it is the item with most of its history. Where several titles are
  /// possible, a person at a terminal chooses.
  ///
  /// - Parameters:
  ///   - words: The words of the title.
  ///   - list: The list, by name or id; nil for all.
  ///   - inOneList: Whether to refuse a title that is in several lists.
  /// - Returns: The item; of a title in several lists, the one that says most of it.
  /// - Throws: ``SyncError`` `record.not-found` when none or several have that name.
  func item(_ words: [String], in list: String?, inOneList: Bool = false) throws -> Record {
    let query = words.joined(separator: " ")
    let found = library.titles(matching: query, in: try list.map { try self.list($0).key })
    if found.count == 1, let only = found[0].first {
      if found[0].count > 1, inOneList {
        let names = found[0].compactMap { name(ofListWith: $0) }.joined(separator: ", ")
        throw SyncError(
          .notFound, "'\(Sanitized.line(only["title"].string ?? query))' is in several lists",
          hint: "say with --list which one is meant: \(Sanitized.line(names))")
      }
      if found[0].count > 1, let home = name(ofListWith: only) {
        context.note("'\(only["title"].string ?? "")' is in several lists; this is of '\(home)'")
      }
      return only
    }
    guard !found.isEmpty else {
      throw SyncError(
        .notFound, "no title in the lists matches '\(Sanitized.line(query))'",
        hint: "add it with 'cloudsync media add TITLE'")
    }
    let leads = found.compactMap(\.first)
    if context.mayAsk, !context.assumesYes, leads.count <= Self.longestChoice {
      return try choose(among: leads, query)
    }
    let names = leads.prefix(6).map { item in
      "\(item.key.id) (\(item["title"].string ?? "")\(item["year"].int.map { " \($0)" } ?? ""))"
    }
    throw SyncError(
      .notFound, "\(leads.count) titles match '\(Sanitized.line(query))'",
      hint: "choose one by its id: \(Sanitized.line(names.joined(separator: ", ")))"
        + (leads.count > 6 ? " …" : ""))
  }

  private static let longestChoice = 20

  private func choose(among items: [Record], _ query: String) throws -> Record {
    for (place, item) in items.enumerated() {
      let year = item["year"].int.map { " (\($0))" } ?? ""
      let kind = item["mediaType"].string == "tv" ? ", series" : ""
      let home = name(ofListWith: item).map { ", in \($0)" } ?? ""
      context.note("\(place + 1)  \(item["title"].string ?? "")\(year)\(kind)\(home)")
    }
    return try context.ask("Which one is '\(query)'?", fallback: "1") {
      answer throws(SyncError) in
      guard let number = Int(answer), items.indices.contains(number - 1) else {
        throw SyncError(.usage, "'\(Sanitized.line(answer))' is no number from 1 to \(items.count)")
      }
      return items[number - 1]
    }
  }

  /// The name of the list that an item is in.
  func name(ofListWith item: Record) -> String? {
    library.lists.first { $0.key == item.parent }?["name"].string
  }

  /// The record that words name: an item, or with a number one of its episodes.
  func place(
    _ words: [String], in list: String?, episode: EpisodeNumber?
  ) throws -> (
    item: Record, episode: RecordKey?
  ) {
    let item = try item(words, in: list)
    return (
      item,
      episode.map {
        RecordKey(
          zone: item.key.zone, collection: "episode",
          id: MediaID.episode(of: item.key.id, season: $0.season, number: $0.number))
      }
    )
  }
}

/// The title that a media command works on.
struct MediaTitle: ParsableArguments {
  @Argument(help: ArgumentHelp("Words of the title, or the id of an item.", valueName: "title"))
  var words: [String]
  @Option(help: ArgumentHelp("Only in this list, by name or id.", valueName: "list"))
  var list: String?
}

extension EpisodeNumber: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

extension Day: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

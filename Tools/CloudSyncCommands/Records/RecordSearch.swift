import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync <domain> search [WORD…]`.
struct RecordSearch<D: DomainRegistration>: ContextCommand {
  static var configuration: CommandConfiguration {
    let name = D.commandPath
    return CommandConfiguration(
      commandName: "search", abstract: "Find records by words in them, in any order, page by page.",
      discussion: examples(
        "cloudsync \(name) search new york", "cloudsync \(name) search --sort modified --limit 20",
        "cloudsync \(name) search --limit 50 --skip 50 --json",
        after: """
          Every word has to be in the id or a field; capitals do not matter. Without words, all records \
          are found. With --json, 'more' says whether there are more than are shown.
          """))
  }

  @Argument(help: ArgumentHelp("What a record has to contain.", valueName: "word"))
  var words: [String] = []
  @Option(
    help: ArgumentHelp(
      "The order: id, in each tree of its own; modified; or a field.", valueName: "order"))
  var sort = "id"
  @Flag(help: "Show the last ones first; of modified, the oldest.")
  var reverse = false
  @Option(help: ArgumentHelp("Maximum number; 0 for all.", valueName: "number"))
  var limit = 50
  @Option(help: ArgumentHelp("Leave out this many at the beginning.", valueName: "number"))
  var skip = 0
  @Flag(help: "Include deleted records.")
  var deleted = false
  @Option(
    help: ArgumentHelp("The collection; by default the first.", valueName: "name"),
    completion: .list(D.domain.schema.collections.map(\.name.text)))
  var collection: String?
  @OptionGroup(title: "Global options") var global: GlobalOptions

  private static var most: Int { 1_000_000_000 }

  func validate() throws {
    guard 0...Self.most ~= limit, 0...Self.most ~= skip else {
      throw ValidationError("--limit and --skip go from 0 to \(Self.most)")
    }
  }

  func run(_ context: CommandContext) async throws {
    guard let type = try D.domain.collections(collection.map { [$0] } ?? []).first else { return }
    let order = try RecordOrder(sort, isReversed: reverse, in: type)
    let store = try Session(context).store(D.domain.name)
    let columns = D.listColumns(of: type) + (deleted ? [.deleted] : [])
    var listing = context.listing(
      "cloudsync.\(D.domain.name).list/1", records: "records", columns: columns.map(\.column))
    let (found, hasMore) = try found(in: store, type, order)
    for record in found where !listing.isAbandoned {
      listing.add(D.json(record), columns.map { $0.cell(record) })
    }
    listing.finish(["more": .bool(hasMore)])
  }

  /// The page, and whether more records are behind it.
  ///
  /// No more than twice the records up to the end of the page are kept in memory.
  private func found(
    in store: SyncStore, _ type: RecordType, _ order: RecordOrder
  ) throws -> ([Record], Bool) {
    let words = words.flatMap { $0.lowercased().split(whereSeparator: \.isWhitespace) }
    let end = limit == 0 ? Int.max : skip + limit + 1
    let room = max(64, end == .max ? .max : end * 2)
    // They are stored in this order, in each tree of its own.
    let isOrdered = order.isStored
    var found: [Record] = []
    do {
      try store.forEachRecord(in: type.name, includingDeleted: deleted) { record in
        guard words.isEmpty || record.contains(words) else { return }
        found.append(record)
        if isOrdered, found.count >= end { throw Enough() }
        if !isOrdered, found.count >= room {
          found.sort(by: order.precedes)
          found.removeLast(found.count - end)
        }
      }
    } catch is Enough {}
    if !isOrdered { found.sort(by: order.precedes) }
    let page = found.dropFirst(skip)
    return limit == 0 ? (Array(page), false) : (Array(page.prefix(limit)), page.count > limit)
  }

  private struct Enough: Error {}
}

/// The order in which records are shown.
private struct RecordOrder {
  private enum Key {
    case id, modified
    case field(FieldName)
  }

  private let key: Key
  private let isReversed: Bool

  /// - Throws: ``SyncError`` `usage` for a field that the collection does not have.
  init(_ name: String, isReversed: Bool, in type: RecordType) throws {
    self.isReversed = isReversed
    switch name {
    case "id": key = .id
    case "modified": key = .modified
    default:
      guard let field = type.fieldNames.first(where: { $0.text == name }) else {
        throw SyncError.unknownName(
          "order", name, among: ["id", "modified"] + type.fieldNames.map(\.text))
      }
      key = .field(field)
    }
  }

  /// Whether records are stored in it.
  var isStored: Bool {
    if case .id = key { return !isReversed }
    return false
  }

  func precedes(_ first: Record, _ second: Record) -> Bool {
    let (first, second) = isReversed ? (second, first) : (first, second)
    switch key {
    case .id: break
    case .modified where first.modified != second.modified:
      return first.modified > second.modified
    case .modified: break
    case .field(let name):
      let (left, right) = (first[name], second[name])
      if left.isNull != right.isNull { return isReversed ? left.isNull : right.isNull }
      if let left = left.string?.lowercased(), let right = right.string?.lowercased() {
        if left != right { return left < right }
      } else if left != right {
        return Value.sorts(left, before: right)
      }
    }
    return first.key < second.key
  }
}

extension Record {
  /// Whether each of some words, in small letters, is in the id or in a field.
  fileprivate func contains(_ words: [Substring]) -> Bool {
    let texts = ([key.id.text] + fields.values.map(\.brief)).map { $0.lowercased() }
    return words.allSatisfy { word in texts.contains { $0.contains(word) } }
  }
}

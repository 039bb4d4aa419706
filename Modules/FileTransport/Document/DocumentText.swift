import ReadableDocuments
import SyncKit
import SyncKitText

/// A document that is read piece by piece: no more than one record is held, without those in it.
///
/// Whoever reads it takes the stamp of its window before and after: only if they are equal is what was read what
/// the file holds.
struct DocumentText: DocumentEntries {
  /// Why bytes are not a document.
  enum Problem: Error {
    /// They are cut off, damaged or something else: the document is not here yet.
    case damaged(String)
    /// A newer version wrote them.
    case newer(String)
  }

  /// The key that holds the mail; every other key belongs to the readable part.
  static let key = "cloudsync"

  /// The members at the top that are neither the mail nor the version nor hold records.
  private(set) var rest = ValueMap()
  /// What devices have left for each other; nil when an app that knows nothing of it wrote the file.
  private(set) var mail: DocumentMail?
  /// A digest of each record as it was written, without the mail none.
  private(set) var digests: Set<RecordDigest> = []

  private let text: JSONText
  /// Where the arrays of records are, in the order of the levels.
  private var arrays: [(level: DocumentLevel, place: Int)] = []

  /// Checks the whole text, and reads all of it but the records.
  ///
  /// - Throws: ``Problem``, or what the window throws.
  init(
    _ window: TextWindow, of document: any ReadableDocument, domain: String,
    coding: any SegmentCoding
  ) throws {
    var text = JSONText(window)
    let members: [(key: String, value: Int)]?
    do { members = try text.check() } catch let error as JSONError {
      throw Problem.damaged(error.description)
    }
    guard let members else { throw Problem.damaged("it is not a JSON object") }
    self.text = text
    var mailPlace: Int?
    var version: JSON?
    var places: [FieldName: Int] = [:]
    let levels = document.levels
    for member in members {
      text.offset = member.value
      switch member.key {
      case Self.key: mailPlace = member.value
      case "version": version = try text.value()
      default:
        let name = FieldName(member.key)
        if levels.contains(where: { $0.key == name }) {
          places[name] = member.value
        } else {
          rest[name] = Value(try text.value())
        }
      }
    }
    arrays = levels.compactMap { level in places[level.key].map { (level, $0) } }
    guard let version = version?.int, version > 0 else {
      throw Problem.damaged("it has no version")
    }
    guard version <= document.version else { throw Problem.newer("its version is \(version)") }
    guard let mailPlace else { return }
    text.offset = mailPlace
    switch try text.next {
    case UInt8(ascii: "n"): break
    case UInt8(ascii: "{"):
      var found: Set<RecordDigest> = []
      mail = try DocumentMail(&text, digests: &found, domain: domain, coding: coding)
      digests = found
    default: throw Problem.damaged("'\(Self.key)' is not an object")
    }
  }

  // MARK: Records

  func forEach(_ body: (DocumentEntry) throws -> Void) throws {
    _ = try forEachRecord(body)
  }

  /// Visits the records.
  ///
  /// - Returns: What stands where a record should, as sentences.
  func forEachRecord(_ body: (DocumentEntry) throws -> Void) throws -> [String] {
    var visit = Visit(text: text)
    for (level, place) in arrays { try visit.array(level, at: place, depth: 0, body) }
    return visit.faults
  }

  private struct Visit {
    var text: JSONText
    var faults: [String] = []

    init(text: JSONText) { self.text = text }

    mutating func array(
      _ level: DocumentLevel, at place: Int, depth: Int, _ body: (DocumentEntry) throws -> Void
    ) throws {
      text.offset = place
      switch try text.next {
      case UInt8(ascii: "n"): return
      case UInt8(ascii: "["): break
      default:
        faults.append("'\(level.key)' is not an array.")
        return
      }
      text.offset += 1
      try text.skipSpace()
      if try text.take(UInt8(ascii: "]")) { return }
      while true {
        if try text.next == UInt8(ascii: "{") {
          try object(level, depth: depth, body)
        } else {
          faults.append("'\(level.key)' contains something other than objects.")
          try text.skip()
        }
        try text.skipSpace()
        if try text.take(UInt8(ascii: "]")) { return }
        guard try text.take(UInt8(ascii: ",")) else { throw TextWindow.Shortened() }
        try text.skipSpace()
      }
    }

    /// First the record itself, and then what stands in it, wherever its own members are.
    private mutating func object(
      _ level: DocumentLevel, depth: Int, _ body: (DocumentEntry) throws -> Void
    ) throws {
      var own = ValueMap()
      var places: [Int?] = level.children.map { _ in nil }
      try text.forEachMember(at: text.offset) { text, key in
        let name = FieldName(key)
        if let index = level.children.firstIndex(where: { $0.key == name }) {
          places[index] = text.offset
          try text.skip()
        } else {
          own[name] = Value(try text.value())
        }
      }
      let end = text.offset
      try body(DocumentEntry(level.collection, own, depth: depth))
      for (child, place) in zip(level.children, places) {
        if let place { try array(child, at: place, depth: depth + 1, body) }
      }
      text.offset = end
    }
  }
}

extension Value {
  /// What a JSON value means.
  init(_ json: JSON) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .double(let value): self = .double(value)
    case .string(let value): self = .string(value)
    case .array(let values): self = .list(values.map { Value($0) })
    case .object(let object):
      self = .map(ValueMap(object.members.map { (FieldName($0), Value($1)) }))
    }
  }
}

extension JSON {
  /// A value as JSON; what JSON lacks becomes null.
  init(_ value: SyncKit.Value) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value), .instant(let value): self = .int(value)
    case .double(let value): self = value.isFinite ? .double(value) : .null
    case .string(let value): self = .string(value)
    case .bytes(let value): self = .string(Base64.encode(value))
    case .list(let values): self = .array(values.map { JSON($0) })
    case .map(let map):
      self = .object(JSONObject(map.members.map { ($0.name.text, JSON($0.value)) }))
    }
  }
}

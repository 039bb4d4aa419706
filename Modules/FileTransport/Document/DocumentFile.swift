import SyncKitText
import ReadableDocuments
import SyncKit

/// What one document holds: the readable part, and the mail beside it.
struct DocumentFile {
  /// Why bytes are not a document.
  enum Problem: Error {
    /// They are cut off, damaged or something else: the document is not here yet.
    case damaged(String)
    /// A newer version wrote them.
    case newer(String)
  }

  /// The key that holds the mail; every other key belongs to the readable part.
  static let key = "cloudsync"

  /// The members at the top, without the mail and the version.
  var readable: ValueMap
  /// What devices have left for each other; nil when an app that knows nothing of it wrote the file.
  var mail: DocumentMail?

  /// Reads a document.
  init(
    _ bytes: [UInt8], of document: any ReadableDocument, domain: String, coding: any SegmentCoding
  ) throws(Problem) {
    let root: JSONObject
    do {
      guard let object = try JSON(parsing: bytes).object else {
        throw Problem.damaged("it is not a JSON object")
      }
      root = object
    } catch let error as JSONError {
      throw Problem.damaged(error.description)
    } catch let problem as Problem {
      throw problem
    } catch {
      throw Problem.damaged("\(error)")
    }
    guard let version = root["version"]?.int, version > 0 else {
      throw Problem.damaged("it has no version")
    }
    guard version <= document.version else { throw Problem.newer("its version is \(version)") }
    readable = ValueMap()
    for (key, value) in root.members where key != Self.key && key != "version" {
      readable[FieldName(key)] = Value(value)
    }
    switch root[Self.key] {
    case nil, .null: mail = nil
    case .object(let object): mail = try DocumentMail(object, domain: domain, coding: coding)
    default: throw Problem.damaged("'\(Self.key)' is not an object")
    }
  }

  /// The bytes of a document.
  static func bytes(_ readable: ValueMap, _ mail: DocumentMail, domain: String) -> [UInt8] {
    var root = JSONObject()
    for member in readable.members { root[member.name.text] = JSON(member.value) }
    root[key] = mail.json(domain: domain)
    return JSON.object(root).serialized(pretty: true) + [UInt8(ascii: "\n")]
  }
}

/// The mail of a document: whole segments, whose they are, and what the readable part was.
struct DocumentMail {
  private static let format: Int64 = 1

  /// The ids of the vault.
  var vaults: Set<String> = []
  /// A digest of each record as it was written.
  var records: Set<String> = []
  /// The segments that can be read.
  var segments: [DocumentSegment: Segment] = [:]
  /// The withdrawn zones, with the replicas that removed them; they have no segments.
  private(set) var erased: [ZoneID: Confirmations] = [:]
  /// Segments of newer versions, as they are; they are passed on.
  var sealed: Set<String> = []
  /// How many segments are damaged.
  var damaged = 0
  /// Members that this version does not know.
  var rest = JSONObject()

  /// How many digits a record's digest has; it finds edits and is no protection against forgery.
  private static let digits = 13

  static func digest(_ hash: ContentHash) -> String { String(hash.description.prefix(digits)) }

  init() {}

  init(
    _ object: JSONObject, domain: String, coding: any SegmentCoding
  ) throws(DocumentFile.Problem) {
    guard let format = object["format"]?.int, format > 0,
      case .array(let entries) = object["segments"], let digests = object["records"]?.string
    else { throw .damaged("'\(DocumentFile.key)' is incomplete") }
    guard format <= Self.format else {
      throw .newer("its '\(DocumentFile.key)' has format \(format)")
    }
    guard object["domain"]?.string == domain else {
      throw .damaged("it does not belong to the domain '\(domain)'")
    }
    vaults = Set((object["vaults"]?.array ?? []).compactMap(\.string))
    for (zone, replicas) in object["erased"]?.object?.members ?? [] {
      erased[ZoneID(zone)] = Confirmations(json: replicas)
    }
    let text = Array(digests.utf8)
    for start in stride(from: 0, to: text.count, by: Self.digits) {
      records.insert(
        String(decoding: text[start..<min(start + Self.digits, text.count)], as: UTF8.self))
    }
    for entry in entries {
      guard let text = entry.string, let bytes = Base64.decode(text) else {
        damaged += 1
        continue
      }
      do {
        let segment = try coding.read(bytes)
        guard segment.info.domain == domain, segment.info.first >= 1 else {
          damaged += 1
          continue
        }
        add(segment)
      } catch let error as SyncError where error.code == .formatNewer {
        sealed.insert(text)
      } catch {
        damaged += 1
      }
    }
    for (key, value) in object.members
    where !["format", "domain", "vaults", "records", "erased", "segments"].contains(key) {
      rest[key] = value
    }
  }

  /// Takes a segment in; of two packings of the same changes the lesser stays, whichever comes first.
  mutating func add(_ segment: Segment) {
    guard erased[segment.info.zone] == nil else { return }
    let name = DocumentSegment(segment.info)
    if let known = segments[name], !segment.bytes.lexicographicallyPrecedes(known.bytes) { return }
    segments[name] = segment
  }

  /// Takes in what another file holds.
  mutating func add(_ other: DocumentMail) {
    vaults.formUnion(other.vaults)
    sealed.formUnion(other.sealed)
    for (zone, confirmations) in other.erased { erase(zone, confirmedBy: confirmations) }
    for segment in other.segments.values { add(segment) }
    for (key, value) in other.rest.members where rest[key] == nil { rest[key] = value }
  }

  /// Takes the content of a zone out for good.
  mutating func erase(_ zone: ZoneID, confirmedBy confirmations: Confirmations) {
    erased[zone, default: Confirmations()].formUnion(confirmations)
    segments = segments.filter { $0.key.zone != zone }
  }

  /// Drops what is of other zones.
  mutating func keep(_ isOwn: (ZoneID) -> Bool) {
    segments = segments.filter { isOwn($0.key.zone) }
    erased = erased.filter { isOwn($0.key) }
  }

  /// Whether there is nothing that could be missed.
  var isEmpty: Bool { segments.isEmpty && erased.isEmpty }

  /// Whether everything of another mail is in this one.
  func covers(_ other: DocumentMail) -> Bool {
    vaults.isSuperset(of: other.vaults)
      && other.erased.allSatisfy { zone, confirmations in
        erased[zone].map(confirmations.isSubset) ?? false
      }
  }

  func json(domain: String) -> JSON {
    var object: JSONObject = [
      "format": .int(Self.format),
      "domain": .string(domain),
      "vaults": .array(vaults.sorted().map { .string($0) }),
      "records": .string(records.sorted().joined()),
    ]
    if !erased.isEmpty {
      object["erased"] = .object(
        JSONObject(erased.sorted { $0.key < $1.key }.map { ($0.key.text, $0.value.json) }))
    }
    for (key, value) in rest.members { object[key] = value }
    let own = segments.sorted { $0.key < $1.key }.map { Base64.encode($0.value.bytes) }
    object["segments"] = .array((own + sealed.sorted()).map { .string($0) })
    return .object(object)
  }
}

/// What a segment in a document is known by.
struct DocumentSegment: Hashable, Comparable {
  let zone: ZoneID
  let series: ReplicaID
  let first: UInt64
  let last: UInt64
  let head: ContentHash

  init(_ info: SegmentInfo) {
    (zone, series, first, last, head) = (info.zone, info.series, info.first, info.last, info.head)
  }

  init(_ reference: SegmentReference) {
    (zone, series, first) = (reference.zone, reference.series, reference.first)
    (last, head) = (reference.last, reference.head)
  }

  static func < (left: DocumentSegment, right: DocumentSegment) -> Bool {
    (left.zone, left.series, left.first, left.last, left.head)
      < (right.zone, right.series, right.first, right.last, right.head)
  }

  func reference(at location: String) -> SegmentReference {
    // Sizes say nothing here: a file is whole or not at all.
    SegmentReference(
      zone: zone, series: series, first: first, last: last, head: head, size: nil,
      location: location)
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

extension Confirmations {
  /// What a document says: the vector of each replica in base64.
  init(json: JSON) {
    self.init()
    for (replica, vector) in json.object?.members ?? [] {
      guard let replica = ReplicaID(replica),
        let bytes = vector.string.flatMap({ Base64.decode($0) }),
        let kept = try? Array(bytes).reading({ try $0.vector() })
      else { continue }
      self[replica] = kept
    }
  }

  var json: JSON {
    .object(
      JSONObject(
        vectors.sorted { $0.key < $1.key }.map { replica, kept in
          var writer = ByteWriter()
          writer.write(kept)
          return (replica.description, .string(Base64.encode(writer.bytes)))
        }))
  }
}

import SyncKit
import SyncKitText

/// The mail of a document: whole segments, and whose they are.
struct DocumentMail {
  static let format: Int64 = 1

  /// The ids of the vault.
  var vaults: Set<String> = []
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

  init() {}

  /// Reads the mail at a place of a text that was checked, one segment after the other.
  ///
  /// `digests` takes the digest of each record as it was written.
  /// - Throws: ``DocumentText/Problem``, or what the window throws.
  init(
    _ text: inout JSONText, digests: inout Set<RecordDigest>, domain: String,
    coding: any SegmentCoding
  ) throws {
    var object = JSONObject()
    var (records, entries): (Int?, Int?) = (nil, nil)
    try text.forEachMember(at: text.offset) { text, key in
      switch (key, try text.next) {
      case ("records", UInt8(ascii: "\"")):
        records = text.offset
        try text.skip()
      case ("segments", UInt8(ascii: "[")):
        entries = text.offset
        try text.skip()
      case ("records", _), ("segments", _): try text.skip()
      default: object[key] = try text.value()
      }
    }
    guard let format = object["format"]?.int, format > 0, let entries, let records else {
      throw DocumentText.Problem.damaged("'\(DocumentText.key)' is incomplete")
    }
    guard format <= Self.format else {
      throw DocumentText.Problem.newer("its '\(DocumentText.key)' has format \(format)")
    }
    guard object["domain"]?.string == domain else {
      throw DocumentText.Problem.damaged("it does not belong to the domain '\(domain)'")
    }
    vaults = Set((object["vaults"]?.array ?? []).compactMap(\.string))
    for (zone, replicas) in object["erased"]?.object?.members ?? [] {
      erased[ZoneID(zone)] = Confirmations(json: replicas)
    }
    text.offset = records
    var reader = RecordDigest.Reader()
    try text.forEachPiece { piece in reader.add(piece) { digests.insert($0) } }
    reader.finish { digests.insert($0) }
    try text.forEachElement(at: entries) { text in
      add(try text.value(), domain: domain, coding)
    }
    for (key, value) in object.members
    where !["format", "domain", "vaults", "erased"].contains(key) {
      rest[key] = value
    }
  }

  /// Takes in what stands where a segment should.
  private mutating func add(_ entry: JSON, domain: String, _ coding: any SegmentCoding) {
    guard let text = entry.string, let bytes = Base64.decode(text) else {
      damaged += 1
      return
    }
    do {
      let segment = try coding.read(bytes)
      guard segment.info.domain == domain, segment.info.first >= 1 else {
        damaged += 1
        return
      }
      add(segment)
    } catch let error as SyncError where error.code == .formatNewer {
      sealed.insert(text)
    } catch {
      damaged += 1
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

public import SyncKitText
public import SyncKit

/// A segment that a server has, as an entry of the feed of its zone.
public struct FeedEntry: WireMessage, Equatable {
  /// Its place in the order in which the server took it, the same for ever.
  public var cursor: UInt64
  /// The zone.
  public var zone: ZoneID
  /// The series.
  public var series: ReplicaID
  /// The number of the first change.
  public var first: UInt64
  /// The number of the last change.
  public var last: UInt64
  /// The chained hash of the last change.
  public var head: ContentHash
  /// The size in bytes.
  public var size: Int

  /// Describes an entry.
  public init(
    cursor: UInt64, zone: ZoneID, series: ReplicaID, first: UInt64, last: UInt64,
    head: ContentHash, size: Int
  ) {
    self.cursor = cursor
    self.zone = zone
    self.series = series
    self.first = first
    self.last = last
    self.head = head
    self.size = size
  }

  public init(json: JSON) throws(WireFault) {
    cursor = try json.natural("cursor")
    zone = ZoneID(try json.text("zone"))
    series = try json.replica("series")
    first = try json.natural("first")
    last = try json.natural("last")
    head = try json.hash("head")
    size = Int(clamping: try json.natural("size"))
  }

  public var json: JSON {
    [
      "cursor": .int(Int64(clamping: cursor)), "zone": .string(zone.text),
      "series": .string(series.description), "first": .int(Int64(clamping: first)),
      "last": .int(Int64(clamping: last)), "head": .string(head.description),
      "size": .int(Int64(size)),
    ]
  }
}

/// A part of the feed of a domain: what has come behind a cursor, and how the zones stand.
public struct FeedPage: WireMessage {
  /// Which life of the server the cursors belong to.
  public var epoch: String
  /// Where the page ends; the next one begins behind it.
  public var cursor: UInt64
  /// Where it ends within what stands behind the cursor at one place; nil when nothing was cut there.
  ///
  /// Only the server knows what it means; the next question bears it beside the cursor.
  public var inside: String?
  /// Whether the page goes on behind the cursor that was asked for; false when it begins at the start.
  public var isContinuation: Bool
  /// Whether there is more behind the page.
  public var hasMore: Bool
  /// The segments, in the order of their cursors.
  public var segments: [FeedEntry]
  /// All withdrawn zones, with the replicas that removed them.
  public var erased: [ZoneID: Confirmations]
  /// The ids of the vaults that the account is, all of them.
  public var roots: Set<String>
  /// The participants of all zones.
  public var access: [ZoneID: ZoneAccess]

  /// Describes a page.
  public init(
    epoch: String, cursor: UInt64, isContinuation: Bool, hasMore: Bool, segments: [FeedEntry],
    erased: [ZoneID: Confirmations], access: [ZoneID: ZoneAccess], inside: String? = nil,
    roots: Set<String> = []
  ) {
    self.inside = inside
    self.roots = roots
    self.epoch = epoch
    self.cursor = cursor
    self.isContinuation = isContinuation
    self.hasMore = hasMore
    self.segments = segments
    self.erased = erased
    self.access = access
  }

  public init(json: JSON) throws(WireFault) {
    epoch = try json.text("epoch")
    cursor = try json.natural("cursor")
    isContinuation = try json.flag("continues")
    hasMore = try json.flag("more")
    inside = try json.optionalText("inside")
    roots = Set(try json.elements("roots").map { $0.string ?? "" })
    segments = try json.messages("segments")
    erased = [:]
    for element in try json.elements("erased") {
      erased[ZoneID(try element.text("zone"))] = try element.message(
        "confirmations", ErasureConfirmations.self
      ).confirmations
    }
    access = [:]
    for element in try json.elements("access") {
      // A role of a newer server gives no right.
      let role = ZoneAccess.Role(rawValue: try element.text("role")) ?? .removed
      access[ZoneID(try element.text("zone"))] = ZoneAccess(
        role: role, owner: try element.text("owner"),
        participants: Int(clamping: try element.natural("participants")))
    }
  }

  public var json: JSON {
    var object: JSONObject = [
      "epoch": .string(epoch), "cursor": .int(Int64(clamping: cursor)),
      "continues": .bool(isContinuation), "more": .bool(hasMore),
      "segments": .array(segments.map(\.json)),
      "roots": .array(roots.sorted().map { .string($0) }),
      "erased": .array(
        erased.sorted { $0.key < $1.key }.map { zone, confirmations in
          [
            "zone": .string(zone.text),
            "confirmations": ErasureConfirmations(confirmations).json,
          ]
        }),
      "access": .array(
        access.sorted { $0.key < $1.key }.map { zone, access in
          [
            "zone": .string(zone.text), "role": .string(access.role.rawValue),
            "owner": .string(access.owner), "participants": .int(Int64(access.participants)),
          ]
        }),
    ]
    if let inside { object["inside"] = .string(inside) }
    return .object(object)
  }
}

/// The replicas that removed a withdrawn zone, with what each keeps.
public struct ErasureConfirmations: WireMessage {
  /// What it says.
  public var confirmations: Confirmations

  /// Wraps confirmations.
  public init(_ confirmations: Confirmations) { self.confirmations = confirmations }

  public init(json: JSON) throws(WireFault) {
    guard let elements = json.array else { throw WireFault("'confirmations' must be a list") }
    confirmations = Confirmations()
    for element in elements {
      guard let bytes = Base64.decode(try element.text("kept")),
        let vector = try? bytes.reading({ try $0.vector() })
      else { throw WireFault("'kept' must be a vector in base64") }
      confirmations[try element.replica("replica")] = vector
    }
  }

  public var json: JSON {
    .array(
      confirmations.vectors.sorted { $0.key < $1.key }.map { replica, kept in
        var writer = ByteWriter()
        writer.write(kept)
        return [
          "replica": .string(replica.description), "kept": .string(Base64.encode(writer.bytes)),
        ]
      })
  }
}

/// What became of one segment that was sent to be stored.
public struct StoreResult: WireMessage, Equatable {
  /// The outcomes.
  public enum Status: String, Sendable {
    /// It is stored now, durably.
    case stored
    /// It was there already.
    case known
    /// Its zone was withdrawn: no account may store it any more.
    case erased
    /// The account may not store it; see the error.
    case refused
  }

  /// The outcome.
  public var status: Status
  /// Its cursor, when it is there.
  public var cursor: UInt64?
  /// Why it was refused.
  public var error: WireError?

  /// Describes an outcome.
  public init(_ status: Status, cursor: UInt64? = nil, error: WireError? = nil) {
    self.status = status
    self.cursor = cursor
    self.error = error
  }

  public init(json: JSON) throws(WireFault) {
    let text = try json.text("status")
    guard let status = Status(rawValue: text) else { throw WireFault("'status' is '\(text)'") }
    self.status = status
    cursor = try json.optionalNumber("cursor").flatMap { UInt64(exactly: $0) }
    if json["error"] != nil { error = try WireError(json: json) }
  }

  public var json: JSON {
    var object: JSONObject = ["status": .string(status.rawValue)]
    if let cursor { object["cursor"] = .int(Int64(clamping: cursor)) }
    if let error { object["error"] = error.json["error"] }
    return .object(object)
  }
}

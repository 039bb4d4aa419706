import SegmentFormat
import SyncKit
import SyncWire

/// Reads every segment of a server to its last change, and compares it with what the tables say of it.
enum SegmentAudit {
  /// A segment as the tables have it.
  struct Entry {
    var segment: ServerAdministration.DamagedSegment
    var series: ReplicaID
    var first: UInt64
    var last: UInt64
    var head: ContentHash
    var size: Int64
  }

  /// Checks what is in the database.
  ///
  /// - Returns: The segments whose bodies are in the bucket.
  static func run(
    _ tables: ServerTables, _ findings: inout ServerAdministration.Findings
  ) throws -> [(entry: Entry, object: BodyObject)] {
    let cursors = try tables.all("SELECT cursor FROM segments ORDER BY cursor") { try $0.int(0) }
    var outside: [(entry: Entry, object: BodyObject)] = []
    for cursor in cursors {
      let entry = try tables.first(
        """
        SELECT s.series, s.first, s.last, s.head, s.size, z.zone, f.domain, a.name,
          s.device, d.name, s.token
        FROM segments s JOIN zones z ON z.id=s.zone JOIN feeds f ON f.id=s.feed
          JOIN accounts a ON a.id=f.account
          LEFT JOIN devices d ON d.id=s.device AND d.account=f.account
        WHERE s.cursor=?
        """, .int(cursor)
      ) { row in
        Entry(
          segment: ServerAdministration.DamagedSegment(
            cursor: UInt64(clamping: cursor), account: try row.text(7), domain: try row.text(6),
            zone: try row.text(5), series: try row.replica(0).description,
            device: row.optionalText(9) ?? row.optionalText(8), token: row.optionalText(10),
            problem: ""),
          series: try row.replica(0), first: try row.natural(1), last: try row.natural(2),
          head: try row.hash(3), size: try row.int(4))
      }
      guard let entry else { continue }
      switch try tables.body(cursor) {
      case .row(let bytes): check(bytes, entry, &findings)
      case .object(let object): outside.append((entry, object))
      case nil: check(nil, entry, &findings)
      }
    }
    try sums(tables, &findings)
    return outside
  }

  /// What is wrong with one that came as it is.
  static let unreadable = "cannot be unpacked, or does not hold the changes that it states"

  /// What is wrong with one whose body is gone from the bucket or is another one there.
  static let lost = "has lost its body in the bucket"

  /// Checks the bytes of a segment, wherever they come from.
  static func check(
    _ bytes: [UInt8]?, _ entry: Entry, missing: String = "has no content",
    _ findings: inout ServerAdministration.Findings
  ) {
    if let bytes {
      findings.segments += 1
      findings.bytes += Int64(bytes.count)
    }
    guard let problem = bytes.map({ problem($0, entry) }) ?? missing else { return }
    var damaged = entry.segment
    damaged.problem = problem
    findings.damaged.append(damaged)
  }

  private static func problem(_ bytes: [UInt8], _ entry: Entry) -> String? {
    let coding = DeflateSegmentCoding()
    guard let segment = try? coding.read(bytes) else { return "is damaged" }
    let info = segment.info
    let isSame =
      info.series == entry.series && info.first == entry.first && info.last == entry.last
      && info.head == entry.head && Int64(bytes.count) == entry.size
      && info.zone.text == entry.segment.zone && info.domain == entry.segment.domain
    guard isSame else { return "does not match the tables" }
    return SegmentChain(segment, coding) == nil ? unreadable : nil
  }

  private static func sums(
    _ tables: ServerTables, _ findings: inout ServerAdministration.Findings
  ) throws {
    let wrong = try tables.all(
      """
      SELECT a.name FROM accounts a WHERE
        a.bytes <> (SELECT coalesce(sum(s.size), 0) FROM feeds f
          JOIN segments s ON s.feed=f.id WHERE f.account=a.id)
        OR a.records <> (SELECT coalesce(sum(s.records), 0) FROM feeds f
          JOIN segments s ON s.feed=f.id WHERE f.account=a.id)
      """
    ) { try $0.text(0) }
    findings.other += wrong.map { "The usage of the account '\($0)' is counted wrongly." }
  }
}

extension ServerAdministration {
  /// A segment that no device can read.
  public struct DamagedSegment: Sendable, Equatable {
    /// By which it is named.
    public var cursor: UInt64
    /// The account whose it is, by its name.
    public var account: String
    /// Its domain.
    public var domain: String
    /// Its zone.
    public var zone: String
    /// The series that it says it is of.
    public var series: String
    /// The device that stored it, by its name, or that made the token; nil when unknown.
    public var device: String?
    /// The token that stored it; nil for a device's own.
    public var token: String?
    /// What is wrong with it.
    public var problem: String

    /// All of that as a sentence.
    public var sentence: String {
      let by: String? =
        switch (device, token) {
        case (let device?, nil): "the device '\(device)'"
        case (let device?, let token?): "the token \(token) that '\(device)' made"
        case (nil, let token?): "the token \(token)"
        case (nil, nil): nil
        }
      let stored = by.map { ", stored by \($0)," } ?? ""
      return "Segment \(cursor) of '\(account)' in \(domain)/\(zone)\(stored) \(problem)."
    }
  }

  /// Removes segments that a check has found, if they still cannot be read.
  ///
  /// - Returns: How many are gone.
  public func clear(_ damaged: [DamagedSegment]) async throws -> Int {
    try await told {
      var count = 0
      for segment in damaged {
        // What lies under a cursor never changes, so what was seen still holds.
        let body = try await storage.read { try $0.body(Int64(clamping: segment.cursor)) }
        guard try await !ServerDatabase.isReadable(storage.bytes(of: body)) else { continue }
        let isGone = try await storage.write { tables in
          let account = try tables.first(
            """
            SELECT a.id, a.name FROM segments s JOIN feeds f ON f.id=s.feed
              JOIN accounts a ON a.id=f.account WHERE s.cursor=?
            """, .int(Int64(clamping: segment.cursor))
          ) { WireName(id: try $0.text(0), name: try $0.text(1)) }
          guard let account else { return false }
          try storage.clear(segment.cursor, tables)
          try note(
            "segment.clear", account, tables, detail: "\(segment.domain)/\(segment.cursor)")
          return true
        }
        if isGone { count += 1 }
      }
      if count > 0 { storage.compactLogs() }
      return count
    }
  }
}

import SQLiteFile
import SegmentFormat
import SyncKit

/// The withdrawn zones, with the replicas that removed them and what each of them keeps.
struct ErasureTable {
  /// A file with more rows is not honest.
  private static let limit = 1_000_000

  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// All of a domain; a row that is not as it should be is not here.
  func all(of domain: String) throws -> [ZoneID: Confirmations] { try all()[domain] ?? [:] }

  /// All by domain.
  func all() throws -> [String: [ZoneID: Confirmations]] {
    try connection.with("SELECT domain, zone, replica, kept FROM erasure") { row in
      var found: [String: [ZoneID: Confirmations]] = [:]
      var rows = 0
      while try connection.row(row.step()) {
        rows += 1
        guard rows <= Self.limit else { throw connection.damage("it has too many erased zones") }
        guard let domain = row.text(0), let zone = row.text(1), SegmentLayout.isFolderName(zone),
          let replica = row.pair(2), let kept = row.blob(3).flatMap(Self.vector)
        else { continue }
        let said = Confirmations([ReplicaID(high: replica.high, low: replica.low): kept])
        found[domain, default: [:]][ZoneID(zone), default: Confirmations()].formUnion(said)
      }
      return found
    }
  }

  /// Adds what replicas say of a zone to what they have said before.
  func add(_ confirmations: Confirmations, _ zone: ZoneID, of domain: String) throws {
    var said = try all(of: domain)[zone] ?? Confirmations()
    said.formUnion(confirmations)
    try connection.with("INSERT OR REPLACE INTO erasure VALUES(?1, ?2, ?3, ?4)") { statement in
      for replica in confirmations.replicas.sorted() {
        var writer = ByteWriter()
        writer.write(said[replica] ?? VersionVector())
        try connection.check(statement.bind(1, domain))
        try connection.check(statement.bind(2, zone.text))
        try connection.check(statement.bind(3, copying: replica.bytes))
        try connection.check(statement.bind(4, copying: writer.bytes))
        try connection.execute(statement)
      }
    }
  }

  /// Removes what is said of a domain's zones.
  func remove(_ domain: String) throws {
    try connection.with("DELETE FROM erasure WHERE domain = ?1") { statement in
      try connection.check(statement.bind(1, domain))
      try connection.execute(statement)
    }
  }

  private static func vector(_ bytes: UnsafeRawBufferPointer) -> VersionVector? {
    try? Array(bytes).reading { try $0.vector() }
  }
}

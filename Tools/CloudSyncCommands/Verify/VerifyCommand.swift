import ArgumentParser
import Formats
import SyncKit

/// `cloudsync verify`.
struct VerifyCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Read everything that is stored and check it.",
    discussion: examples(
      "cloudsync verify", "cloudsync verify --domain airports --json",
      after: """
        Devices that have applied the same changes show the same digest: equal vectors with different \
        digests are a proof that something is wrong.
        With --repair a damaged store is moved aside byte for byte, and a new one is made from what \
        can be read of its log; the next sync brings what a remote has.
        Exit status: 0 nothing wrong, or repaired; 65 something is damaged, and it was left as it is.
        """))

  @Option(
    help: ArgumentHelp("Only this domain.", valueName: "domain"),
    completion: .list(DomainRegistry.names))
  var domain: [String] = []
  @Flag(help: "Make a damaged store anew from its log.")
  var repair = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    for name in domain { _ = try DomainRegistry.domain(name) }
    let names = domain.isEmpty ? session.enabledDomains : domain
    if repair {
      for name in names { try await StoreRepair(session, name).run() }
    }
    var zones: [(domain: String, zone: ZoneVerification)] = []
    for name in names {
      zones += try session.store(name).verify().map { (name, $0) }
    }
    context.print(report(zones))
    let problems = zones.flatMap(\.zone.problems)
    if let first = problems.first {
      let more = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
      throw SyncError(
        .storeDamaged, first + more,
        hint: "'cloudsync verify --repair' makes the store anew and keeps the damaged one")
    }
  }

  private func report(_ zones: [(domain: String, zone: ZoneVerification)]) -> Report {
    let documents = zones.map { item -> JSON in
      var vector = JSONObject()
      for (replica, seq) in item.zone.vector {
        vector[replica.description] = .int(Int64(clamping: seq))
      }
      return [
        "domain": .string(item.domain),
        "zone": .string(item.zone.zone.text),
        "vector": .object(vector),
        "digest": .string(item.zone.digest.description),
        "problems": .array(item.zone.problems.map { .string($0) }),
      ]
    }
    let columns = [
      Table.Column("domain"), Table.Column("zone"), Table.Column("changes", numeric: true),
      Table.Column("digest"), Table.Column("problems", flexible: true),
    ]
    let rows = zones.map { item -> [Table.Cell] in
      let problems = item.zone.problems
      return [
        Table.Cell(item.domain), Table.Cell(item.zone.zone.text),
        Table.Cell(item.zone.vector.reduce(0) { $0 + $1.seq }),
        Table.Cell(item.zone.digest.description),
        Table.Cell(
          problems.isEmpty ? "none" : problems.joined(separator: "; "),
          raw: problems.joined(separator: "; "), style: problems.isEmpty ? .good : .bad),
      ]
    }
    return Report(
      "cloudsync.verify/1", ["zones": .array(documents)], records: "zones",
      table: Table(columns, rows: rows))
  }
}

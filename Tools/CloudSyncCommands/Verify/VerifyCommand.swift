import ArgumentParser
import Formats
import SyncKit

/// `cloudsync verify`.
struct VerifyCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Read everything that is stored and check it.",
    discussion: examples(
      "cloudsync verify", "cloudsync verify --domain airports --json",
      "cloudsync verify --remotes --repair",
      after: """
        Devices that have applied the same changes show the same digest: equal vectors with different \
        digests are a proof that something is wrong.
        With --repair a damaged store is moved aside byte for byte, and a new one is made from what \
        can be read of its log; the next sync brings what a remote has.
        With --remotes every segment that the remotes list is read as well, as a new device would; with \
        --repair what is damaged there is brought again by this device, if it has it.
        Exit status: 0 nothing wrong, or repaired; 65 something is damaged, and it was left as it is.
        """))

  @Option(
    help: ArgumentHelp("Only this domain.", valueName: "domain"),
    completion: .list(DomainRegistry.names))
  var domain: [String] = []
  @Flag(help: "Make a damaged store anew from its log.")
  var repair = false
  @Flag(help: "Also read everything that the remotes hold.")
  var remotes = false
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
    var checks: [(domain: String, check: RemoteCheck)] = []
    if remotes {
      for name in names {
        let engine = SyncEngine(
          store: try session.store(name), remotes: try session.remotes(of: name))
        checks += await engine.check(repairing: repair).map { (name, $0) }
      }
    }
    context.print(report(zones, checks))
    let problems = zones.flatMap(\.zone.problems)
    if let first = problems.first {
      let more = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
      throw SyncError(
        .storeDamaged, first + more,
        hint: "'cloudsync verify --repair' makes the store anew and keeps the damaged one")
    }
    if let error = checks.lazy.compactMap(\.check.error).first { throw error }
    if let (_, check) = checks.first(where: { !$0.check.damaged.isEmpty }) {
      throw SyncError(
        .formatDamaged,
        "\(check.damaged.count) files of '\(check.remote)' are damaged, the first is "
          + "'\(check.damaged[0])'.",
        hint: repair
          ? "Run 'cloudsync verify --remotes --repair' on the device that wrote them."
          : "'cloudsync verify --remotes --repair' brings again what this device has.")
    }
  }

  private func report(
    _ zones: [(domain: String, zone: ZoneVerification)],
    _ checks: [(domain: String, check: RemoteCheck)]
  ) -> Report {
    let places = checks.map { domain, check -> JSON in
      [
        "domain": .string(domain), "remote": .string(check.remote),
        "sound": .int(Int64(check.sound)), "repaired": .int(Int64(check.repaired)),
        "damaged": .array(check.damaged.map { .string($0) }),
      ]
    }
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
    var members: JSONObject = ["zones": .array(documents)]
    if remotes { members["remotes"] = .array(places) }
    return Report(
      "cloudsync.verify/1", members, records: "zones",
      table: Table(columns, rows: rows))
  }
}

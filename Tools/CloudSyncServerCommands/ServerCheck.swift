import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitServer
import SyncWire

/// `cloudsync server check`.
struct ServerCheck: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Read everything on the server and check it for damage.",
    discussion: examples(
      "\(program) server check", "\(program) server check --data /var/lib/cloudsync/server --json",
      after: """
        Every segment is unpacked. A segment that no device can read is listed with its account and the \
        device or token that stored it; --remove-damaged removes such segments and changes nothing else.
        Bodies in a bucket are read as well, which costs a request each. --orphans lists its objects that no segment \
        has, as after a restored backup; --remove-orphans removes them, and those that wait for a server to remove them.
        Exit status: 0 no problems; 65 something is damaged.
        """))

  @Flag(help: "Remove the segments that no device can read.") var removeDamaged = false
  @Flag(help: "List the objects of the bucket that no segment has.") var orphans = false
  @Flag(help: "Remove the objects of the bucket that no segment has.") var removeOrphans = false
  @OptionGroup var folder: ServerFolderOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let isListing = orphans || removeOrphans
    if isListing, try folder.bucket(context) == nil {
      throw SyncError(
        .usage, "no bucket is named in which to look for objects",
        hint: "name it with --blobs or 'server.blobs'")
    }
    let (findings, removed, collected) = try await folder.work(context) { administration in
      let findings = try await administration.check(listing: isListing)
      let collected =
        removeOrphans ? try await administration.collect(findings.unknownObjects) : 0
      guard removeDamaged, !findings.damaged.isEmpty else { return (findings, 0, collected) }
      return (findings, try await administration.clear(findings.damaged), collected)
    }
    context.print(
      Report(
        "cloudsync.server.check/1",
        [
          "segments": .int(Int64(findings.segments)), "bytes": .int(findings.bytes),
          "problems": .array(findings.problems.map { .string($0) }),
          "damaged": .array(findings.damaged.map(Self.document)),
          "removed": .int(Int64(removed)), "unread": .int(Int64(findings.unread)),
          "orphans": .array(findings.unknownObjects.map { .string($0) }),
          "removedOrphans": .int(Int64(collected)),
        ],
        table: ReportTable(
          [
            ReportTable.Column("segments", numeric: true),
            ReportTable.Column("bytes", numeric: true),
            ReportTable.Column("problems", flexible: true),
          ],
          rows: [
            [
              ReportTable.Cell(findings.segments), ReportTable.Cell(findings.bytes),
              ReportTable.Cell(
                findings.problems.isEmpty ? "none" : "\(findings.problems.count)",
                raw: findings.problems.joined(separator: " "),
                style: findings.problems.isEmpty ? .good : .bad),
            ]
          ])))
    for problem in findings.problems { context.warn(problem) }
    if !removeOrphans {
      for name in findings.unknownObjects {
        context.warn("no segment has the object \(Sanitized.line(name))")
      }
    }
    if collected > 0 { context.note("removed \(Plural(collected, "object")) from the bucket") }
    if removed > 0 {
      context.note("removed \(Plural(removed, "segment")) that no device can read")
    }
    guard findings.unread == 0 else {
      throw SyncError(
        .configInvalid,
        "the bodies of \(Plural(findings.unread, "segment")) are in a bucket and were not read",
        hint: "name it with --blobs or 'server.blobs'")
    }
    let left = removed == findings.damaged.count ? findings.other : findings.problems
    if !left.isEmpty {
      throw SyncError(
        .storeDamaged,
        left.count == 1
          ? "the server has a problem" : "the server has \(left.count) problems",
        hint: findings.other.isEmpty
          ? "'\(program) server check --remove-damaged' removes segments that no device can read"
          : "stop the server and restore a backup with '\(program) server restore FILE'")
    }
  }

  private static func document(_ damaged: ServerAdministration.DamagedSegment) -> JSON {
    [
      "segment": .int(Int64(clamping: damaged.cursor)), "account": .string(damaged.account),
      "domain": .string(damaged.domain), "zone": .string(damaged.zone),
      "series": .string(damaged.series), "device": damaged.device.map { .string($0) } ?? .null,
      "token": damaged.token.map { .string($0) } ?? .null, "problem": .string(damaged.problem),
    ]
  }
}

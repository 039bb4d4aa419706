import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// `cloudsync remote list`.
struct RemoteList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the remotes and the domains that use them.",
    discussion: examples("cloudsync remote list", "cloudsync remote list --json"))

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let configuration = try context.configuration().values
    let rows = configuration.remotes.map { remote in
      (remote, configuration.domains.filter { $0.remotes.contains(remote.name) }.map(\.name))
    }
    context.print(
      Report(
        "cloudsync.remotes/1",
        [
          "remotes": .array(
            rows.map { remote, domains in
              [
                "name": .string(remote.name), "url": .string(remote.location.url),
                "encrypted": .bool(remote.isEncrypted),
                "domains": .array(domains.map { .string($0) }),
              ]
            })
        ],
        records: "remotes",
        table: ReportTable(
          [
            ReportTable.Column("name"), ReportTable.Column("url", flexible: true),
            ReportTable.Column("encrypted"), ReportTable.Column("domains"),
          ],
          rows: rows.map { remote, domains in
            [
              ReportTable.Cell(remote.name), remote.location.cell(context),
              ReportTable.Cell(remote.isEncrypted ? "yes" : "no"),
              ReportTable.Cell(domains.joined(separator: ", ")),
            ]
          })))
    if rows.isEmpty {
      context.note("this device has no remote; add one with 'cloudsync remote add NAME PATH'")
    }
  }
}

import LocalMachine
import ArgumentParser
import CommandFoundation
import FileTransport
import SyncKitFormats
import SyncKit
import SyncKitServer
import SyncWire

/// `cloudsync server account export NAME DIR`.
struct ServerAccountExport: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export an account into a folder that devices can sync with.",
    discussion: examples(
      "\(program) server account export anna /backup/anna",
      "\(program) server account export anna /media/stick/anna --json",
      after: """
        The folder is a remote like any other: 'cloudsync remote add copy file:DIR' on a device of the \
        account, or 'cloudsync init --remote copy=file:DIR' on a new one. Records that others \
        share with the account are left out. The folder must be empty or not exist (65).
        """))

  @Argument(help: "The account.") var account: String
  @Argument(help: "The folder to write.", completion: .directory) var dir: String
  @OptionGroup var folder: ServerFolderOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let path = try context.directoryRequest.absolute(dir)
    let (known, export) = try await folder.work(context) { administration in
      let known = try await administration.known(account)
      return (known, try await AccountExport.run(of: known, to: path, administration))
    }
    context.print(
      Report(
        "cloudsync.server.export/1", export.document(of: known, in: path),
        table: ReportTable(
          [ReportTable.Column("folder"), ReportTable.Column("segments", numeric: true)],
          rows: [[ReportTable.Cell(path), ReportTable.Cell(export.segments)]]), text: ""))
    context.note(export.sentence(path))
  }
}

/// A copy of an account as a folder that devices sync with.
struct AccountExport {
  var segments = 0
  var bytes: Int64 = 0
  /// Segments that cannot be read, which are left out.
  var damaged = 0

  func document(of account: WireName, in path: String) -> JSONObject {
    [
      "account": account.json, "folder": .string(path), "segments": .int(Int64(segments)),
      "bytes": .int(bytes), "damaged": .int(Int64(damaged)),
    ]
  }

  func sentence(_ path: String) -> String {
    let left =
      damaged == 0
      ? ""
      : "; \(damaged) that cannot be read \(damaged == 1 ? "was" : "were") left out"
    return "wrote \(Plural(segments, "segment")) to \(Sanitized.line(path))\(left)"
  }

  /// Writes the copy.
  ///
  /// - Throws: ``SyncError`` `input.invalid` when something is in the folder already.
  static func run(
    of account: WireName, to path: String, _ administration: ServerAdministration
  ) async throws -> AccountExport {
    guard try LocalFolder.names(in: path, ending: "").isEmpty else {
      throw SyncError(.inputInvalid, "the folder '\(path)' is not empty")
    }
    try LocalFolder.create(path)
    let content = try await administration.content(of: account.id)
    let transport = FileTransport(path: path, createIfParentExists: true)
    var export = AccountExport()
    for domain in content.domains {
      var identity = RemoteIdentity(
        vault: content.roots, isKnown: false,
        newVault: UUIDText.random(from: administration.environment))
      // It is copied as it is.
      identity.isEncrypted = content.roots.contains(where: RemoteIdentity.isOfEncryptedVault)
      _ = try await transport.attach(identity, domain: domain.name)
      let egress = EgressPolicy(published: Set(domain.zones.map(\.id)))
      for zone in domain.zones {
        if let confirmations = zone.erased {
          try await transport.erase(zone.id, of: domain.name, confirmedBy: confirmations)
        }
        for cursor in zone.cursors {
          guard let segment = try await administration.segment(cursor),
            let outbound = egress.release(segment)
          else {
            export.damaged += 1
            continue
          }
          try await transport.store(outbound)
          export.segments += 1
          export.bytes += Int64(segment.bytes.count)
        }
      }
      try await transport.flush(domain.name)
    }
    return export
  }
}

import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitServer
import SyncWire

/// `cloudsync server account`.
struct ServerAccountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: "Make, rename, limit, lock, export and remove accounts.",
    discussion: examples(
      "cloudsync server account add anna --bytes 10GB",
      "cloudsync server account lock anna",
      "cloudsync server account remove anna --export /backup/anna",
      after: """
        A server that runs hears of each change at once. An account is named by its name, however it \
        is written, or its id; 'cloudsync server accounts' lists them.
        """),
    subcommands: [
      ServerAccountAdd.self, ServerAccountRename.self, ServerAccountQuota.self,
      ServerAccountLock.self, ServerAccountUnlock.self, ServerAccountExport.self,
      ServerAccountRemove.self,
    ])
}

extension CommandContext {
  /// Prints what was done to an account as `cloudsync.server.account/1`.
  func print(_ account: ServerAdministration.Account, _ more: JSONObject = [:]) {
    var document = account.document
    for (key, value) in more.members { document[key] = value }
    print(
      Report(
        "cloudsync.server.account/1", document,
        table: ReportTable(
          [ReportTable.Column("id"), ReportTable.Column("name")],
          rows: [[ReportTable.Cell(account.account.id), ReportTable.Cell(account.account.name)]]),
        text: ""))
  }
}

extension ServerAdministration {
  /// How an account stands.
  func standing(of account: WireName) async throws -> Account {
    guard let found = try await accounts().first(where: { $0.account.id == account.id }) else {
      throw SyncError(.notFound, "There is no account '\(account.name)' any more.")
    }
    return found
  }
}

extension ServerAdministration.Account {
  /// The account in documents.
  var document: JSONObject {
    func number(_ value: Int64?) -> JSON { value.map { .int($0) } ?? .null }
    return [
      "id": .string(account.id), "name": .string(account.name),
      "created": .string(Timestamp.format(milliseconds: created)), "devices": .int(devices),
      "used": [
        "bytes": .int(usedBytes), "records": .int(usedRecords), "devices": .int(devices),
      ],
      "quota": [
        "bytes": number(maximumBytes), "records": number(maximumRecords),
        "devices": number(maximumDevices),
      ],
      "locked": locked.map { .string(Timestamp.format(milliseconds: $0)) } ?? .null,
    ]
  }
}

import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitServer
import SyncWire

/// `cloudsync server account`.
struct ServerAccountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: "Create, rename, limit, lock, export and remove accounts.",
    discussion: examples(
      "\(program) server account add anna --bytes 10GB",
      "\(program) server account lock anna",
      "\(program) server account remove anna --export /backup/anna",
      after: """
        A running server notices each change at once. Name an account by its name, in any spelling that \
        looks the same, or its id; '\(program) server accounts' lists them.
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
    do {
      return try await standing(of: account.id)
    } catch let error as SyncError where error.code == .notFound {
      throw SyncError(.notFound, "The account '\(account.name)' no longer exists.")
    }
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

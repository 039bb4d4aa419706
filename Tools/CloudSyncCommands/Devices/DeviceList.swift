import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKitHTTP
import SyncKit
import SyncKitEncryption
import SyncWire

/// `cloudsync device list`.
struct DeviceList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the devices of your account, or those known to this one.",
    discussion: examples(
      "cloudsync device list", "cloudsync device list --json",
      after: """
        A server knows all devices of the account, and the tokens of other programs: the list \
        shows everything that can read your data. A device that is signed out no longer can. The \
        list also shows devices whose edits this device has received; without a server no network \
        is used.
        """))

  @OptionGroup var server: ServerOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  private struct Row {
    var id: String
    var name: String
    var joined: Int64?
    var lastSeen: Int64?
    var isSelf: Bool
    var by: WireName?
    var remote: String?
    /// Whether the server no longer admits it; nil if unknown.
    var isSignedOut: Bool?
    /// Whether it was let go from an encrypted vault.
    var isLetGo = false

    var remark: String {
      var remarks: [String] = []
      if isSelf { remarks.append("this device") }
      if isSignedOut == true { remarks.append("signed out") }
      if isLetGo { remarks.append("let go") }
      if !isSelf, let by {
        remarks.append("joined by \(by.name.isEmpty ? by.id : by.name)")
      }
      return remarks.joined(separator: ", ")
    }
  }

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let hasServer = server.remote != nil || !session.serverRemotes.isEmpty
    var rows = try met(by: session)
    var tokens: [WireToken] = []
    let now = context.terminal.now()
    if hasServer {
      let server = try session.server(server.remote, for: "a list of all devices")
      // Two machines with one token, as cloned ones have, are one device to the server.
      let told = try await known(to: server)
      let ids = Set(told.map(\.id))
      let own = try session.device().id
      // A revoked token has no access, though the server lists it for a while.
      let living = try await self.tokens(of: server, context)?.filter { $0.isGood(at: now) }
      let signedIn = living.map { Set($0.compactMap(\.device)) }
      rows =
        told.map { row in
          var row = row
          row.isSelf = row.id == own
          row.isSignedOut = signedIn.map { !$0.contains(row.id) }
          return row
        } + rows.filter { !ids.contains($0.id) }
      tokens = living?.filter { $0.device == nil } ?? []
    }
    let gone = Set(try session.keyring()?.keys.membership.departed.map(\.id) ?? [])
    for index in rows.indices { rows[index].isLetGo = gone.contains(rows[index].id) }
    context.print(
      Report(
        "cloudsync.devices/1",
        [
          "devices": .array(rows.map(Self.document)),
          "tokens": .array(tokens.map { .object($0.document) }),
        ], records: "devices",
        table: ReportTable(
          [
            ReportTable.Column("id"), ReportTable.Column("name", flexible: true),
            ReportTable.Column("joined"),
            ReportTable.Column("last seen"), ReportTable.Column("remark"),
          ],
          rows: rows.map { row in
            Self.cells(row.id, row.name, row.joined, row.lastSeen, row.remark)
          }
            + tokens.map { token in
              Self.cells(
                token.id, token.name, token.created, token.lastUsed,
                "token (\(token.scope.rawValue)), made by \(token.origin)")
            })))
  }

  private static func document(_ row: Row) -> JSON {
    [
      "id": row.id.isEmpty ? .null : .string(row.id), "name": .string(row.name),
      "joined": json(row.joined),
      "lastSeen": json(row.lastSeen), "self": .bool(row.isSelf),
      "by": row.by?.json ?? .null,
      "signedOut": row.isSignedOut.map { .bool($0) } ?? .null, "letGo": .bool(row.isLetGo),
      "remote": row.remote.map { .string($0) } ?? .null,
    ]
  }

  private static func cells(
    _ id: String, _ name: String, _ joined: Int64?, _ seen: Int64?, _ remark: String
  ) -> [ReportTable.Cell] {
    [
      ReportTable.Cell(id), ReportTable.Cell(name),
      joined.map { ReportTable.Cell(time: $0) } ?? ReportTable.Cell(""),
      seen.map { ReportTable.Cell(time: $0) } ?? ReportTable.Cell(""), ReportTable.Cell(remark),
    ]
  }

  private func known(to server: Session.Server) async throws -> [Row] {
    try await server.client.devices().map { device in
      Row(
        id: device.device.id, name: device.device.name, joined: device.joined,
        lastSeen: device.lastSeen, isSelf: device.isSelf, by: device.by, remote: server.name)
    }
  }

  /// The tokens of the account; nil if this device may not see them.
  private func tokens(
    of server: Session.Server, _ context: CommandContext
  ) async throws -> [WireToken]? {
    do {
      return try await server.client.tokens()
    } catch let error as SyncError where error.code == .remoteDenied {
      context.note("this device may not list the account's tokens, so they are missing here")
      return nil
    }
  }

  /// The devices in the stores of the enabled domains, each once, with the latest time of them all.
  private func met(by session: Session) throws -> [Row] {
    let device = try session.device()
    // Before the first write the device has no id that would stay.
    let own = try session.hasKeptDevice() ? device.id : ""
    var rows = [device.id: Row(id: own, name: device.name, lastSeen: nil, isSelf: true)]
    for domain in session.enabledDomains {
      let status = try session.store(domain).status(remotes: session.remoteNames(of: domain))
      for other in status.devices where !other.isSelf {
        let id = other.device.id
        if let seen = rows[id]?.lastSeen, seen >= other.lastSeen { continue }
        rows[id] = Row(
          id: id, name: other.device.name ?? rows[id]?.name ?? "", lastSeen: other.lastSeen,
          isSelf: id == device.id)
      }
    }
    return rows.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }

  private static func json(_ time: Int64?) -> JSON {
    time.map { .string(Timestamp.format(milliseconds: $0)) } ?? .null
  }
}

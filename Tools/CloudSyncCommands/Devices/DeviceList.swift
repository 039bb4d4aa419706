import ArgumentParser
import Formats
import HTTPTransport
import SyncKit
import SyncWire

/// `cloudsync device list`.
struct DeviceList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the devices of your account, or those that this one has met.",
    discussion: examples(
      "cloudsync device list", "cloudsync device list --json",
      after: """
        A server knows all devices of the account. Besides, the list holds the devices whose edits have \
        come here; without a server no network is used.
        """))

  @OptionGroup var server: ServerOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  private struct Row {
    var id: String
    var name: String
    var joined: Int64?
    var lastSeen: Int64?
    var isSelf: Bool
    var remote: String?
  }

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let hasServer = server.remote != nil || !session.serverRemotes.isEmpty
    var rows = try met(by: session)
    if hasServer {
      // Two machines with one token, as cloned ones have, are one device to the server.
      let told = try await known(to: session)
      let ids = Set(told.map(\.id))
      let own = try session.device().id
      rows =
        told.map { row in
          var row = row
          row.isSelf = row.id == own
          return row
        } + rows.filter { !ids.contains($0.id) }
    }
    var listing = context.listing(
      "cloudsync.devices/1", records: "devices",
      columns: [
        Table.Column("id"), Table.Column("name", flexible: true), Table.Column("joined"),
        Table.Column("last seen"), Table.Column("this"),
      ])
    for row in rows {
      listing.add(
        [
          "id": .string(row.id), "name": .string(row.name), "joined": Self.json(row.joined),
          "lastSeen": Self.json(row.lastSeen), "self": .bool(row.isSelf),
          "remote": row.remote.map { .string($0) } ?? .null,
        ],
        [
          Table.Cell(row.id), Table.Cell(row.name),
          row.joined.map { Table.Cell(time: $0) } ?? Table.Cell(""),
          row.lastSeen.map { Table.Cell(time: $0) } ?? Table.Cell(""),
          Table.Cell(row.isSelf ? "this device" : ""),
        ])
    }
    listing.finish()
  }

  private func known(to session: Session) async throws -> [Row] {
    let server = try session.server(server.remote, for: "a list of all devices")
    return try await server.client.devices().map { device in
      Row(
        id: device.device.id, name: device.device.name, joined: device.joined,
        lastSeen: device.lastSeen, isSelf: device.isSelf, remote: server.name)
    }
  }

  /// The devices in the stores of the enabled domains, each once, seen when it was seen last.
  private func met(by session: Session) throws -> [Row] {
    let device = try session.device()
    var rows = [device.id: Row(id: device.id, name: device.name, lastSeen: nil, isSelf: true)]
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

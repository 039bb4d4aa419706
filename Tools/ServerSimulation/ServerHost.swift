import SyncKitFormats
import SyncKitHTTP
import SyncKit
import SyncKitServer
import SyncWire
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Runs the parts of a server in a temporary folder, without sockets, and injects a server's troubles.
actor ServerHost {
  private struct Parts {
    let state: ServerState
    let server: InProcessServer
    let administration: ServerAdministration
    let account: String
  }

  private let folder: String
  private let environment: SyncEnvironment
  private var parts: Parts
  private let backups = Mutex<[String]>([])

  init(_ environment: SyncEnvironment) async throws {
    self.environment = environment
    folder = Self.temporaryFolder()
    parts = try await Self.start(folder, environment)
  }

  /// Memory is as good as a disk here: nothing in a simulated world loses power.
  private static func temporaryFolder() -> String {
    let files = FileManager.default
    let base =
      files.fileExists(atPath: "/dev/shm") ? "/dev/shm" : files.temporaryDirectory.path
    return "\(base)/cloudsync-sim-\(UUID().uuidString.lowercased())"
  }

  private static func start(
    _ folder: String, _ environment: SyncEnvironment
  ) async throws -> Parts {
    let data = try DataFolder("\(folder)/data")
    var policy = ServerPolicy()
    policy.readers = 1
    let storage = try ServerDatabase(data.path, environment: environment, policy: policy)
    let administration = try ServerAdministration(data.path, environment: environment)
    let known = try await administration.accounts().first?.account.id
    let account: String
    if let known {
      account = known
    } else {
      account = try await administration.makeAccount("Everybody").id
    }
    let state = ServerState(storage: storage, environment: environment, rates: .boundless)
    return Parts(
      state: state, server: InProcessServer(state), administration: administration,
      account: account)
  }

  private func stop() async throws {
    try await parts.administration.close()
    try await parts.state.close()
  }

  func answer(_ request: CarriedRequest) async throws -> CarriedAnswer {
    let answer = try await parts.server.answer(
      request.method, request.path, headers: request.headers, body: request.body)
    return CarriedAnswer(status: answer.status, headers: answer.headers, body: answer.body)
  }

  /// Admits a device, and returns its token.
  func letIn(_ device: String) async throws -> String {
    let code = try await parts.administration.invite(to: parts.account).code
    let request = JoinRequest(code: code, device: WireName(id: device, name: device))
    let answer = try await parts.server.answer(
      "POST", "/v1/join", headers: [("Content-Type", WireProtocol.json)],
      body: request.json.serialized())
    return try Joined(json: JSON(parsing: answer.body)).token
  }

  /// Revokes a token; returns whether it existed.
  func revoke(_ token: String) async throws -> Bool {
    guard let id = TokenText(token)?.id else { return false }
    do {
      try await parts.administration.revoke(token: id)
      return true
    } catch let error as SyncError where error.code == .notFound {
      return false
    }
  }

  /// Sets the account's limit in bytes; nil for no limit.
  func setRoom(_ bytes: Int64?) async throws {
    try await parts.administration.setQuota(
      of: parts.account, maximumBytes: bytes, maximumRecords: nil)
  }

  func restart() async throws {
    try await stop()
    parts = try await Self.start(folder, environment)
  }

  func wipe() async throws {
    try await stop()
    try FileManager.default.removeItem(atPath: "\(folder)/data")
    parts = try await Self.start(folder, environment)
  }

  nonisolated var hasBackups: Bool { backups.withLock { !$0.isEmpty } }

  func backUp() async throws {
    let file = "\(folder)/backup-\(backups.withLock { $0.count })"
    try await parts.administration.backup(to: file)
    backups.withLock { $0.append(file) }
  }

  /// Replaces everything with a backup.
  func restore(_ number: UInt64) async throws {
    let file = backups.withLock { $0[Int(number % UInt64($0.count))] }
    try await stop()
    _ = try await ServerRestoration(
      of: file, in: DataFolder("\(folder)/data"), environment: environment
    ).run()
    parts = try await Self.start(folder, environment)
  }

  func close() async {
    try? await stop()
    try? FileManager.default.removeItem(atPath: folder)
  }
}

extension RequestRates {
  fileprivate static var boundless: RequestRates {
    var rates = RequestRates()
    let much = Rate(perMinute: 1e9, burst: 1e9)
    (rates.token, rates.address, rates.failures, rates.joins) = (much, much, much, much)
    return rates
  }
}

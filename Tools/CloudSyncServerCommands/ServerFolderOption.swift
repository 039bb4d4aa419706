import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKit
import SyncKitServer
import SyncWire

/// The option of all commands that work on the data folder of a server.
struct ServerFolderOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("The data folder of the server.", valueName: "dir"),
    completion: .directory)
  var data: String?

  /// The folder that is meant: the option's, the configuration's, or `server` in the data folder.
  func path(_ context: CommandContext) throws -> String {
    if let data { return try context.directoryRequest.absolute(data) }
    if let configured = try context.configuration().values.server.data { return configured }
    return LocalFolder.path(try context.directories().data, "server")
  }

  /// Works on the data folder, which is checked and, if it may be made, made first.
  ///
  /// - Throws: ``SyncError`` `input.missing` when there is none and none may be made.
  @MainActor func work<Value>(
    _ context: CommandContext, making: Bool = false,
    _ body: @MainActor (ServerAdministration) async throws -> Value
  ) async throws -> Value {
    let path = try path(context)
    let folder = making ? try DataFolder(path) : try DataFolder(existing: path)
    let administration = try ServerAdministration(
      folder.path, environment: context.serverEnvironment)
    let value: Value
    do {
      value = try await body(administration)
    } catch {
      try? await administration.close()
      throw error
    }
    try await administration.close()
    return value
  }
}

extension ServerAdministration {
  /// The account of that name or id, made if there is none; says so then.
  func accountOrNew(_ name: String) async throws -> (account: WireName, isNew: Bool) {
    if let account = try await account(name) { return (account, false) }
    return (try await makeAccount(name), true)
  }

  /// The account of that name or id.
  ///
  /// - Throws: ``SyncError`` `usage` with the nearest name.
  func known(_ name: String) async throws -> WireName {
    if let account = try await account(name) { return account }
    throw SyncError.unknownName(
      "account", name, among: try await accounts().map(\.account.name))
  }
}

extension CommandContext {
  /// Warns that a code or token lets no device in before the account is unlocked.
  func warnIfLocked(_ account: WireName, _ administration: ServerAdministration) async throws {
    guard try await administration.standing(of: account).locked != nil else { return }
    let name = Sanitized.line(account.name)
    warn("'\(name)' is locked; devices get in after '\(program) server account unlock'")
  }

  /// Says that an account was made, which a typing error does as well.
  func noteNew(_ account: WireName) {
    let name = Sanitized.line(account.name)
    note("created the account '\(name)'; '\(program) server account remove' removes it")
  }
}

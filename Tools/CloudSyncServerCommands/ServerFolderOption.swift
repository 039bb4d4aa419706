import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKit
import SyncKitServer
import SyncWire

/// The options of all commands that work on the data of a server: a folder, or a database.
struct ServerFolderOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("The data folder of the server.", valueName: "dir"),
    completion: .directory)
  var data: String?
  @Option(
    help: ArgumentHelp(
      "A PostgreSQL database instead of the folder, such as postgres://host/name or service=NAME.",
      valueName: "address"))
  var store: String?
  @Option(
    help: ArgumentHelp(
      "Where PostgreSQL itself is, when --store is a pooler in transaction mode such as PgBouncer.",
      valueName: "address"))
  var storeSession: String?
  @Option(
    help: ArgumentHelp(
      "The bucket with large bodies, such as s3://bucket/prefix; keys as the AWS tools find them.",
      valueName: "address"))
  var blobs: String?

  func validate() throws {
    guard data == nil || store == nil else {
      throw ValidationError("give --data for a folder or --store for a database, not both")
    }
    guard data == nil || storeSession == nil else {
      throw ValidationError("--store-session goes with --store")
    }
  }

  /// The database that is meant; nil when it is a folder.
  @MainActor func database(_ context: CommandContext) throws -> PostgreSQLAddress? {
    guard data == nil else { return nil }
    let configured = try context.configuration().values.server
    guard store != nil || configured.store != nil else {
      guard storeSession == nil, configured.storeSession == nil else {
        throw SyncError(
          .configInvalid, "PostgreSQL itself is named without a database of the server",
          hint:
            "name the pooler with --store or 'server.store', or PostgreSQL itself if there is none")
      }
      return nil
    }
    guard store != nil || configured.data == nil else {
      throw SyncError(
        .configInvalid, "'server' has both 'data' and 'store'", hint: "leave out one of them")
    }
    let first =
      try store.map { try Self.typed($0, as: "--store", context) }
      ?? configured.store.map { try Self.configured($0, "store") }
    // The configuration's goes with its own 'store' alone.
    let second =
      try storeSession.map { try Self.typed($0, as: "--store-session", context) }
      ?? (store == nil
        ? configured.storeSession.map { try Self.configured($0, "store-session") } : nil)
    guard let second else { return first }
    return first.map { second.through($0) }
  }

  /// An address from the command line; a password in it is warned of.
  @MainActor static func typed(
    _ text: String, as name: String, _ context: CommandContext
  ) throws -> PostgreSQLAddress {
    let address = try address(text, name)
    if address.hasPassword {
      context.warn(
        "other users of this machine can read the password in \(name); put it into a password file and name "
          + "that with PGPASSFILE")
    }
    return address
  }

  /// An address from the configuration, which others may read.
  private static func configured(_ text: String, _ key: String) throws -> PostgreSQLAddress {
    let address = try address(text, "'server.\(key)'")
    guard !address.hasPassword else {
      throw SyncError(
        .configInvalid, "'server.\(key)' has a password",
        hint: "put it into a password file and name that with PGPASSFILE or passfile=")
    }
    return address
  }

  private static func address(_ text: String, _ name: String) throws -> PostgreSQLAddress {
    guard PostgreSQLAddress.isMeant(text) else {
      throw SyncError(
        .usage, "\(name) takes the address of a PostgreSQL database",
        hint: "write it as postgres://host/name or service=NAME; name a folder with --data")
    }
    return try PostgreSQLAddress(text)
  }

  /// The folder that is meant: the option's, the configuration's, or `server` in the data folder.
  func path(_ context: CommandContext) throws -> String {
    if let data { return try context.directoryRequest.absolute(data) }
    if let configured = try context.configuration().values.server.data { return configured }
    return LocalFolder.path(try context.directories().data, "server")
  }

  /// The bucket that is meant; nil for none.
  @MainActor func bucket(
    _ context: CommandContext, from: Int? = nil
  ) throws -> ServerBucket? {
    try ServerBucket(option: blobs, from: from, context)
  }

  /// Works on the database or the data folder, which is checked and, if it may be made, made first.
  ///
  /// - Parameters:
  ///   - context: The run.
  ///   - making: Whether it is made when there is none.
  ///   - withBucket: Whether bodies in a bucket are in reach, if one is named.
  ///   - body: The work.
  /// - Returns: What the work gives.
  /// - Throws: ``SyncError`` `input.missing` when there is none and none may be made.
  @MainActor func work<Value>(
    _ context: CommandContext, making: Bool = false, withBucket: Bool = true,
    _ body: @MainActor (ServerAdministration) async throws -> Value
  ) async throws -> Value {
    let administration = try open(context, making: making)
    let value: Value
    do {
      if withBucket, let bucket = try bucket(context) {
        try await administration.reachLargeBodies(in: bucket.blobs)
      }
      value = try await body(administration)
    } catch {
      try? await administration.close()
      throw error
    }
    try await administration.close()
    return value
  }

  @MainActor private func open(
    _ context: CommandContext, making: Bool
  ) throws -> ServerAdministration {
    if let address = try database(context) {
      return try ServerAdministration(address, environment: context.serverEnvironment)
    }
    let path = try path(context)
    let folder = making ? try DataFolder(path) : try DataFolder(existing: path)
    return try ServerAdministration(folder.path, environment: context.serverEnvironment)
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

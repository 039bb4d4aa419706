import LocalMachine
import ArgumentParser
import BikeService
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync bike strava`.
struct StravaCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "strava", abstract: "Fetch rides from Strava, through your own Strava app.",
    discussion: examples(
      "cloudsync bike strava login", "cloudsync bike strava pull",
      "cloudsync bike strava logout",
      after: """
        Configure the app with domains.bike.strava.client-id and client-secret. Strava's data \
        stays on this device and never syncs; each device fetches its own.
        """),
    subcommands: [StravaLogin.self, StravaPullCommand.self, StravaLogout.self])
}

/// The common parts of the Strava commands: the configured app and the token's file.
struct StravaAccount {
  let session: Session
  let access: StravaAccess
  let secret: String

  /// - Throws: ``SyncError`` `config.invalid` when the app is not configured.
  init(_ session: Session) throws {
    self.session = session
    let strava = session.configuration[domain: BikeRegistration.domain.name]?.values.map("strava")
    guard let strava, let id = strava.text("client-id"), let url = strava.text("url"),
      let secret = strava.secret("client-secret")
    else {
      throw SyncError(
        .configInvalid, "the app at Strava is not configured",
        hint: "create one at https://www.strava.com/settings/api, then run"
          + " 'cloudsync config set domains.bike.strava.client-id NUMBER', and set where its secret is,"
          + " as in domains.bike.strava.client-secret: { file: PATH }")
    }
    access = StravaAccess(url: url, clientID: id)
    self.secret = try secret.read(environment: session.context.terminal.environment)
  }

  /// A client that stores new tokens in the token's file.
  func client() throws -> StravaClient {
    let file = file
    return StravaClient(
      access, secret: secret, token: try file.load(),
      fetcher: HTTPFetcher(environment: session.context.terminal.environment),
      now: session.environment.now, save: { try file.save($0) })
  }

  var file: StravaTokenFile { StravaTokenFile(session.directories) }
}

extension Session {
  /// The lock for renewing the token: a token that two processes renew at the same time is lost.
  func stravaLock() throws -> String {
    // The device's own id is in the same folder, which therefore exists.
    try keepDevice()
    return LocalFolder.path(directories.data, "strava.lock")
  }
}

/// The file with the token, in the state folder: never in a store, synced or not.
struct StravaTokenFile: Sendable {
  let path: String
  private let folder: String

  init(_ directories: Directories) {
    folder = directories.state
    path = LocalFolder.path(directories.state, "strava-token.json")
  }

  /// The token; nil when there is none.
  ///
  /// - Throws: ``SyncError`` `store.io` when it cannot be read.
  func load() throws -> StravaToken? {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try LocalFile.read(path, limit: 1 << 16) } catch {
      if error.isMissing { return nil }
      throw SyncError(error)
    }
    return StravaToken(parsing: bytes)
  }

  /// Stores a token: readable only by the user, and on disk when this returns.
  func save(_ token: StravaToken) throws {
    do throws(SystemError) {
      try LocalFolder.create(folder)
      try LocalFile.replace(path, with: token.serialized)
    } catch {
      throw SyncError(error)
    }
  }

  /// Deletes the token.
  ///
  /// - Throws: ``SyncError`` `store.io` and the like when it may still be there.
  func remove() throws(SyncError) {
    do throws(SystemError) { try LocalFile.remove(path) } catch { throw SyncError(error) }
  }
}

/// The file that says how far earlier pulls have looked, in the state folder.
struct StravaProgressFile: Sendable {
  private let path: String
  private let folder: String

  init(_ directories: Directories) {
    folder = directories.state
    path = LocalFolder.path(directories.state, "strava-pull.json")
  }

  /// The progress; that of a device that has not looked at anything when there is none.
  func load() -> StravaProgress {
    guard let bytes = try? LocalFile.read(path, limit: 1 << 26) else { return StravaProgress() }
    return StravaProgress(parsing: bytes)
  }

  /// Stores the progress.
  func save(_ progress: StravaProgress) throws(SystemError) {
    try LocalFolder.create(folder)
    try LocalFile.replace(path, with: progress.serialized)
  }
}

/// The command `cloudsync bike strava logout`.
struct StravaLogout: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout", abstract: "Forget the token; rides and bikes stay.",
    discussion: examples(
      "cloudsync bike strava logout", "cloudsync bike strava logout --local",
      after: "It also revokes the token at Strava, unless --local is given."))

  @Flag(help: "Only forget the token here; do not contact Strava.") var local = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let file = StravaTokenFile(session.directories)
    var isThere = false
    // Without a token there is nothing to lock, and nothing to leave behind.
    if FileSignature(file.path) != nil {
      let lock = try await StoreLock(session.stravaLock(), wait: .seconds(5))
      defer { lock.release() }
      isThere = try file.load() != nil
      if isThere, !local { try await StravaAccount(session).client().logOut() }
      try file.remove()
    }
    context.print(
      Report("cloudsync.bike.strava-logout/1", ["loggedOut": .bool(isThere)], text: ""))
    context.note(isThere ? "logged out of Strava; rides and bikes stay" : "there was no token")
  }
}

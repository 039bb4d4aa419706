import SQLiteFile
public import SyncKit
import SyncWire

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Puts a backup in the place of all that a server has.
///
/// The copy is checked before anything is touched, and takes its place in one step; what was there is
/// kept under another name. The next start of the server begins an epoch of its own, by which every
/// client notices that the server knows less than it did, and reads everything again.
public struct ServerRestoration: Sendable {
  /// What a restoration has done, or would do.
  public struct Outcome: Sendable, Equatable {
    /// How many segments the backup has.
    public var segments: Int
    /// How many bytes they have.
    public var bytes: Int64
    /// Where what was there is kept; nil when nothing was.
    public var kept: String?
    /// The devices and tokens that the backup lets in, including those ended since it was made.
    public var access = ServerAdministration.Access()
    /// What was taken from a person since the backup was made, by the store that is replaced; nil when there is
    /// none that could be asked.
    public var undone: ServerAdministration.Access.Undone?

    /// Whether a device was signed out or revoked since the backup; nil when unknown.
    public func wasEnded(_ device: ServerAdministration.KnownDevice) -> Bool? {
      undone?.tokens.contains(device.token)
    }

    /// Whether a token was ended since the backup; nil when unknown.
    public func wasEnded(_ token: ServerAdministration.KnownToken) -> Bool? {
      undone?.tokens.contains(token.token.id)
    }
  }

  /// What a restoration ends of what a backup brings back.
  public struct Options: Sendable {
    /// Only look.
    public var isRehearsal = false
    /// Every token, so that each device has to be let in again.
    public var signsOutAll = false
    /// Codes and invitations that were open: a person who used one since could use it again, or
    /// another who has found it.
    public var endsInvitations = true

    /// The usual ones.
    public init() {}
  }

  private let file: String
  private let folder: DataFolder
  private let environment: SyncEnvironment

  /// Prepares to restore a file into a folder.
  public init(of file: String, in folder: DataFolder, environment: SyncEnvironment) {
    self.file = file
    self.folder = folder
    self.environment = environment
  }

  private var store: String { "\(folder.path)/\(ServerFile.name)" }

  /// Whether there is something that would be replaced.
  public var replacesSomething: Bool { POSIX.isTaken(store) }

  /// Checks the backup, and puts it in place unless it is only a rehearsal.
  ///
  /// - Throws: ``SyncError`` `store.busy` while a server runs, `input.missing`, `input.invalid` when the
  ///   file is no whole backup; then nothing has changed.
  public func run(_ options: Options = Options()) async throws -> Outcome {
    let lock = try folder.lock()
    defer { lock.release() }
    let draft = "\(folder.path)/restore-\(environment.random())"
    try POSIX.makeFolders(draft)
    let copy = "\(draft)/\(ServerFile.name)"
    defer {
      for name in ["", "-wal", "-shm", "-journal"] { POSIX.remove(copy + name) }
      rmdir(draft)
    }
    try copyBackup(to: copy)
    var outcome = try await checked(draft)
    outcome.undone = await undone(outcome.access)
    if options.isRehearsal { return outcome }
    try await shut(draft, options)
    outcome.kept = try await keepOld()
    guard rename(copy, store) == 0 else { throw POSIX.failure("replace", store, errno) }
    try POSIX.synchronize(folder.path)
    return outcome
  }

  private func checked(_ draft: String) async throws -> Outcome {
    do {
      let administration = try ServerAdministration(draft, environment: environment)
      let findings = try await administration.check()
      let access = try await administration.access()
      try await administration.close()
      guard findings.problems.isEmpty || findings.isOnlyUnreadable else {
        throw SyncError(
          .inputInvalid, "the backup '\(file)' is damaged: \(findings.problems[0])",
          hint: "use another backup")
      }
      return Outcome(segments: findings.segments, bytes: findings.bytes, access: access)
    } catch let error as SyncError where error.code == .storeDamaged {
      throw SyncError(.inputInvalid, "the backup '\(file)' is damaged", cause: error.message)
    }
  }

  /// What the store that is replaced does not let in any more; nil when there is none or it cannot be read.
  private func undone(
    _ access: ServerAdministration.Access
  ) async -> ServerAdministration.Access.Undone? {
    guard replacesSomething,
      let administration = try? ServerAdministration(folder.path, environment: environment)
    else { return nil }
    let now = try? await administration.access()
    let accounts = try? await administration.accounts()
    try? await administration.close()
    guard let now, let accounts else { return nil }
    return access.undone(by: now, accounts.map(\.account))
  }

  private func shut(_ draft: String, _ options: Options) async throws {
    let administration = try ServerAdministration(draft, environment: environment)
    do {
      try await administration.shut(
        tokensToo: options.signsOutAll, invitations: options.endsInvitations)
      try await administration.close()
    } catch {
      try? await administration.close()
      throw error
    }
  }

  /// Keeps what is there under another name as well, with nothing left in its log.
  private func keepOld() async throws -> String? {
    guard replacesSomething else { return nil }
    // Opening and closing brings the log into the file; what is too damaged for that keeps its log.
    try? await ServerAdministration(folder.path, environment: environment).close()
    let kept = "\(folder.path)/server-before-restore-\(environment.now()).sqlite"
    try POSIX.move("\(store)-wal", to: "\(kept)-wal")
    POSIX.remove("\(store)-shm")
    guard link(store, kept) == 0 || rename(store, kept) == 0 else {
      throw POSIX.failure("keep", store, errno)
    }
    return kept
  }

  private func copyBackup(to copy: String) throws {
    guard try POSIX.entry(file)?.isFile == true else {
      throw SyncError(.inputMissing, "there is no file '\(file)'")
    }
    let source = open(file, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw POSIX.failure("read", file, errno) }
    defer { close(source) }
    try POSIX.makePrivateFile(copy)
    let target = open(copy, O_WRONLY | O_CLOEXEC)
    guard target >= 0 else { throw POSIX.failure("write", copy, errno) }
    defer { close(target) }
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    var isFirst = true
    while true {
      let count = chunk.withUnsafeMutableBytes { read(source, $0.baseAddress, $0.count) }
      guard count >= 0 else { throw POSIX.failure("read", file, errno) }
      if isFirst, !Self.isBackup(chunk.prefix(count)) {
        throw SyncError(.inputInvalid, "'\(file)' is not a backup of a server")
      }
      isFirst = false
      if count == 0 { break }
      var rest = chunk[..<count]
      while !rest.isEmpty {
        let written = rest.withUnsafeBytes { write(target, $0.baseAddress, $0.count) }
        guard written > 0 else { throw POSIX.failure("write", copy, errno) }
        rest = rest.dropFirst(written)
      }
    }
    guard fsync(target) == 0 else { throw POSIX.failure("write", copy, errno) }
  }

  /// Whether a file begins as the file of a server does.
  ///
  /// Source: [SQLite's file format](https://www.sqlite.org/fileformat.html), section 1.3.
  private static func isBackup(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count >= 100 && bytes.starts(with: Array("SQLite format 3\0".utf8))
      && bytes.dropFirst(68).starts(with: Array("csrv".utf8))
  }
}

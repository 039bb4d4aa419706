import LocalMachine
import SyncKit

/// The user's configuration file, changed by commands that set up remotes and domains.
package struct ConfigFile {
  private var loader: ConfigLoader
  /// The text that was read; nil when there was no file.
  private let old: [UInt8]?
  private var text: YAMLText

  /// The file's path.
  package var path: String { loader.directories.configFile }

  /// Whether there is such a file.
  package var exists: Bool { old != nil }

  /// Reads the file; a missing one counts as empty.
  ///
  /// - Throws: ``SyncError`` `config.invalid` when it cannot be read.
  package init(_ context: CommandContext) throws(SyncError) {
    loader = try ConfigLoader(context.directoryRequest)
    old = try Self.read(loader.directories)
    text = YAMLText(old ?? [])
  }

  /// Puts a value in flow style where a path leads.
  package mutating func set(_ path: [String], to value: String) throws(SyncError) {
    text.set(path[...], to: value, in: try root())
  }

  /// Takes a key out.
  package mutating func remove(_ path: [String]) throws(SyncError) {
    text.remove(path[...], in: try root())
  }

  /// The configuration as it would be with what was changed.
  ///
  /// - Throws: ``SyncError`` `config.invalid` when it would not load.
  package func resolved() throws(SyncError) -> ResolvedConfiguration {
    var loader = loader
    loader.draft = Array(text.description.utf8)
    return try loader.load()
  }

  /// Checks what was changed and puts it in place; the old file stays when it would not load.
  ///
  /// - Throws: ``SyncError`` `config.invalid`, `config.changed` and the like.
  package func save() async throws {
    _ = try resolved()
    try await Self.replace(old, with: Array(text.description.utf8), loader.directories)
  }

  /// The text of the user's file; nil when there is none.
  ///
  /// - Throws: ``SyncError`` `config.invalid` when it cannot be read.
  package static func read(_ directories: Directories) throws(SyncError) -> [UInt8]? {
    do throws(SystemError) {
      return try LocalFile.read(directories.configFile, limit: ConfigNode.maximumSize)
    } catch {
      guard error.isMissing else { throw SyncError(.configInvalid, error.description) }
      return nil
    }
  }

  /// Puts a text in place of the one that was read, and of no other.
  ///
  /// - Throws: ``SyncError`` `config.changed` when another process has changed the file; then nothing is written.
  package static func replace(
    _ old: [UInt8]?, with new: [UInt8], _ directories: Directories
  ) async throws {
    guard new != old else { return }
    let path = directories.configFile
    do {
      try LocalFolder.create(directories.data)
      try LocalFolder.create(LocalFolder.parent(of: path))
    } catch {
      throw SyncError(error)
    }
    // Beside the stores, since the folder of the file may be a collection of dotfiles.
    let lock = try await StoreLock(
      LocalFolder.path(directories.data, "config.lock"), wait: .seconds(10))
    defer { lock.release() }
    guard try read(directories) == old else {
      throw SyncError(
        .configChanged, "another process has changed \(path)",
        hint: "run the command again", isSafe: false)
    }
    do { try LocalFile.replace(path, with: new) } catch { throw SyncError(error) }
  }

  private func root() throws(SyncError) -> ConfigNode? {
    do {
      return try ConfigNode.parse(Array(text.description.utf8), path: path)
    } catch {
      throw .invalidConfiguration([error])
    }
  }
}

extension SyncError.Code {
  /// The configuration is not the one that was read.
  package static let configChanged = Self("config.changed", exit: 75, retryable: true)
}

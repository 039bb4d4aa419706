import SyncKit

/// The user's configuration file, changed by commands that set up remotes and domains.
struct ConfigFile {
  private var loader: ConfigLoader
  private let old: [UInt8]
  private var text: YAMLText

  /// The file's path.
  var path: String { loader.directories.configFile }

  /// Whether there is such a file.
  let exists: Bool

  /// Reads the file; a missing one counts as empty.
  ///
  /// - Throws: ``SyncError`` `config.invalid` when it cannot be read.
  init(_ context: CommandContext) throws(SyncError) {
    loader = try ConfigLoader(context.directoryRequest)
    do throws(SystemError) {
      old = try LocalFile.read(loader.directories.configFile, limit: ConfigNode.maximumSize)
      exists = true
    } catch {
      guard error.isMissing else { throw SyncError(.configInvalid, error.description) }
      old = []
      exists = false
    }
    text = YAMLText(old)
  }

  /// Puts a value in flow style where a path leads.
  mutating func set(_ path: [String], to value: String) throws(SyncError) {
    text.set(path[...], to: value, in: try root())
  }

  /// Takes a key out.
  mutating func remove(_ path: [String]) throws(SyncError) {
    text.remove(path[...], in: try root())
  }

  /// The configuration as it would be with what was changed.
  ///
  /// - Throws: ``SyncError`` `config.invalid` when it would not load.
  func resolved() throws(SyncError) -> ResolvedConfiguration {
    var loader = loader
    loader.draft = Array(text.description.utf8)
    return try loader.load()
  }

  /// Checks what was changed and puts it in place; the old file stays when it would not load.
  func save() throws(SyncError) {
    _ = try resolved()
    let new = Array(text.description.utf8)
    guard new != old || !exists else { return }
    do throws(SystemError) {
      try LocalFolder.create(LocalFolder.parent(of: path))
      try LocalFile.replace(path, with: new)
    } catch {
      throw SyncError(error)
    }
  }

  private func root() throws(SyncError) -> ConfigNode? {
    do {
      return try ConfigNode.parse(Array(text.description.utf8), path: path)
    } catch {
      throw .invalidConfiguration([error])
    }
  }
}

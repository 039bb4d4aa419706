import SyncKit

/// Changes one setting in the text of a configuration and leaves every other character as it was.
///
/// The place is found in the parsed text; there the value is put in as flow style, `[a, b]` or
/// `{ key: value }`, which fits into any line. Comments between the items of a list that is replaced are
/// lost with it.
package enum ConfigEdit {
  /// Works out the new text.
  ///
  /// - Parameters:
  ///   - path: Where to.
  ///   - value: The value as typed; a list may have commas, a map is YAML.
  ///   - bytes: The old text, which may be empty.
  ///   - file: Its name for messages.
  /// - Returns: The new text, with nothing written yet.
  /// - Throws: ``SyncError``: `usage` when there is no such key or it is not a single setting,
  ///   `config.invalid` when the value or the old text cannot be read.
  package static func setting(
    _ path: ConfigPath, to value: String, in bytes: [UInt8], file: String
  ) throws(SyncError) -> [UInt8] {
    let key = try ConfigSchema.key(at: path)
    switch key.type {
    // What is named can be written whole: some of its keys mean nothing without one another.
    case .map where path.parts.count >= 2 && value.hasPrefix("{"): break
    case .map, .named: throw notSingle(path)
    default: break
    }
    do {
      let node = try ConfigValue.node(value, key.type, from: .flag("config set"))
      // The value itself is checked first: its position in a file not yet written does not help.
      var layer = ConfigNode.map(from: node.origin)
      layer.set(path.parts, to: node)
      let problems = ConfigShape.problems(in: layer)
      guard problems.isEmpty else { throw SyncError.invalidConfiguration(problems) }
      let root = try ConfigNode.parse(bytes, path: file)
      var text = YAMLText(bytes)
      text.set(path.parts[...], to: YAMLText.flow(node), in: root)
      return Array(text.description.utf8)
    } catch let error as SyncError {
      throw error
    } catch let problem as ConfigProblem {
      throw .invalidConfiguration([problem])
    } catch {
      throw SyncError(.configInvalid, "\(error)")
    }
  }

  private static func notSingle(_ path: ConfigPath) -> SyncError {
    let depth = path.parts.count
    let inner = ConfigSchema.paths.first { $0.starts(with: path.parts) && $0.count > depth }
    return SyncError(
      .usage, "'\(path)' is a map; set one of its keys, or all of it as {KEY: VALUE, …}",
      hint: inner.map { "such as \(ConfigPath($0))" })
  }
}

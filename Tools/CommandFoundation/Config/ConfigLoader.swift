import LocalMachine
import SyncKit

/// Reads all layers of the configuration and lays them over one another.
///
/// From the lowest: `/etc/cloudsync/config.yaml`, the user's file, its drop-ins in the order of their
/// names, the environment, the command line. What is not set is the table's fallback.
package struct ConfigLoader: Sendable {
  package let request: Directories.Request
  package let directories: Directories
  /// The machine's file; a test names another.
  package var systemFile = Directories.systemConfigFile
  /// Settings from the command line, each with the option that said it.
  package var overrides: [(path: ConfigPath, text: String, option: String)] = []
  /// Text to read instead of the user's file, to see whether it would do.
  package var draft: [UInt8]?

  /// What was read, and all that is wrong with it.
  package struct Result: Sendable {
    package var root: ConfigNode
    /// The files that were there, in the order they were read.
    package var files: [String]
    package var problems: [ConfigProblem]

    package init(root: ConfigNode, files: [String], problems: [ConfigProblem]) {
      self.root = root
      self.files = files
      self.problems = problems
    }
  }

  /// Prepares to read.
  ///
  /// - Throws: ``SyncError`` when it cannot be said where the files are; see ``Directories``.
  package init(_ request: Directories.Request) throws(SyncError) {
    self.request = request
    directories = try Directories(request)
  }

  /// The configuration in force.
  ///
  /// - Throws: ``SyncError`` `config.invalid` with the first problem's place.
  package func load() throws(SyncError) -> ResolvedConfiguration {
    let result = read()
    guard result.problems.isEmpty else { throw .invalidConfiguration(result.problems) }
    return try ResolvedConfiguration(result, paths: PathExpansion(request: request))
  }

  /// Reads and checks without giving up at the first problem.
  package func read() -> Result {
    var result = Result(root: .map(from: .builtIn), files: [], problems: [])
    let user = directories.configFile
    if LocalFolder.resolved(systemFile) != LocalFolder.resolved(user) {
      add(file: systemFile, isRequired: false, to: &result)
    }
    if let draft {
      add(draft, from: user, to: &result)
    } else {
      add(file: user, isRequired: directories.isConfigFileNamed, to: &result)
    }
    if !directories.isConfigFileNamed {
      do {
        for name in try LocalFolder.names(in: directories.dropIns, ending: ".yaml") {
          let path = LocalFolder.path(directories.dropIns, name)
          add(file: path, isRequired: true, to: &result)
        }
      } catch {
        result.problems.append(ConfigProblem(start(of: directories.dropIns), error.description))
      }
    }
    let (variables, problems) = ConfigEnvironment.layer(
      from: request.environment, over: result.root)
    result.problems += problems
    add(variables, to: &result)
    addOverrides(to: &result)
    // Rules about the whole mean little while parts of it are missing.
    if result.problems.isEmpty { result.problems = ConfigRules.problems(in: result.root) }
    return result
  }

  private func add(file path: String, isRequired: Bool, to result: inout Result) {
    do throws(SystemError) {
      add(try LocalFile.read(path, limit: ConfigNode.maximumSize), from: path, to: &result)
    } catch {
      if error.isMissing, !isRequired { return }
      result.problems.append(
        ConfigProblem(start(of: path), "the file cannot be read: \(error.reason)"))
    }
  }

  private func add(_ bytes: [UInt8], from path: String, to result: inout Result) {
    result.files.append(path)
    do {
      guard let layer = try ConfigNode.parse(bytes, path: path) else { return }
      add(layer, to: &result)
    } catch {
      result.problems.append(error)
    }
  }

  private func add(_ layer: ConfigNode, to result: inout Result) {
    let problems = ConfigShape.problems(in: layer)
    result.problems += problems
    if problems.isEmpty { result.root = ConfigLayers.merge(result.root, layer) }
  }

  private func addOverrides(to result: inout Result) {
    var layer = ConfigNode.map(from: .builtIn)
    for (path, text, option) in overrides {
      let origin = ConfigOrigin.flag(option)
      do {
        let key = try ConfigSchema.key(at: path)
        layer.set(path.parts, to: try ConfigValue.node(text, key.type, from: origin))
      } catch let problem as ConfigProblem {
        result.problems.append(problem)
      } catch {
        result.problems.append(ConfigProblem(origin, "\(error)"))
      }
    }
    add(layer, to: &result)
  }

  private func start(of path: String) -> ConfigOrigin { .file(path, line: 1, column: 1) }
}

import LocalMachine

/// The version of this program.
package enum Version {
  /// By the rules of semantic versioning; the only place that says it.
  package static let number = "0.1.0"

  /// What `--version` of the client prints.
  package static var text: String { text(of: Program.current.name, Program.current.version) }

  /// What `--version` of a program prints.
  package static func text(of program: String, _ version: String = number) -> String {
    "\(program) \(version)"
  }

  /// Prints a version, with nothing else of the program started.
  ///
  /// - Returns: The exit status.
  package static func print(_ text: String) -> Int32 {
    let line = Array("\(text)\n".utf8)
    let count = line.withUnsafeBytes { systemWrite(1, $0.baseAddress, $0.count) }
    return count == line.count ? 0 : 74
  }
}

/// The version of this program.
enum Version {
  /// By the rules of semantic versioning; the only place that says it.
  static let number = "0.1.0"

  /// What `--version` prints.
  static var text: String { "cloudsync \(number)" }

  /// Prints it, with nothing else of the program started.
  ///
  /// - Returns: The exit status.
  static func print() -> Int32 {
    let line = Array("\(text)\n".utf8)
    let count = line.withUnsafeBytes { systemWrite(1, $0.baseAddress, $0.count) }
    return count == line.count ? 0 : 74
  }
}

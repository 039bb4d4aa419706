import SyncKit

/// The cost of a process, or of several one after another.
struct Cost {
  /// Seconds from start to end.
  var wall = 0.0
  /// Seconds of processor time, of user and system together.
  var cpu = 0.0
  /// The peak memory of one of them, in bytes.
  var peak = 0

  static func + (left: Cost, right: Cost) -> Cost {
    Cost(
      wall: left.wall + right.wall, cpu: left.cpu + right.cpu, peak: max(left.peak, right.peak))
  }
}

/// Starts measured programs from a small process.
///
/// On Linux the system's accounting starts a process with the memory of its parent; a parent
/// with the records would hide how little the child needs.
struct Launcher {
  /// This program.
  let tool: String
  /// The file for the measurement of the small process.
  let file: String

  /// Runs a program to its end, as ``Process/run(_:output:variables:)`` does.
  @discardableResult
  func run(
    _ words: [String], output: String? = nil, variables: [String: String] = [:]
  ) throws -> Cost {
    try Process.run([tool, "measure", file] + words, output: output, variables: variables)
    let numbers = String(decoding: try POSIX.read(file), as: UTF8.self).split(separator: " ")
    guard numbers.count == 3, let wall = Double(numbers[0]), let cpu = Double(numbers[1]),
      let peak = Int(numbers[2])
    else { throw SyncError(.bug, "A process left no measurement.") }
    return Cost(wall: wall, cpu: cpu, peak: peak)
  }

  /// The small process.
  static func measure(_ words: [String], into file: String) throws {
    let cost = try Process.run(words, output: "")
    try POSIX.write(Array("\(cost.wall) \(cost.cpu) \(cost.peak)".utf8), to: file)
  }
}

import SyncKit

/// What a process, or several one after the other, took.
struct Cost {
  /// Seconds from start to end.
  var wall = 0.0
  /// Seconds of processor time, of user and system together.
  var cpu = 0.0
  /// The most memory that one of them held, in bytes.
  var peak = 0

  static func + (left: Cost, right: Cost) -> Cost {
    Cost(
      wall: left.wall + right.wall, cpu: left.cpu + right.cpu, peak: max(left.peak, right.peak))
  }
}

/// Starts what is measured from a small process.
///
/// On Linux a process begins with the memory that its parent held, in the system's account; a parent
/// that holds the records would hide how little the child needs.
struct Launcher {
  /// This program.
  let tool: String
  /// Where the small process leaves what it has measured.
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

/// A file with a JSON value on each line, as logs and databases write.
public struct JSONLines: Sendable {
  /// The values, each with its line, from 1.
  public private(set) var values: [(line: Int, value: JSON)] = []
  /// The lines that are not JSON; their positions are in the file.
  public private(set) var faults: [JSONError] = []

  /// Reads a text in UTF-8; empty lines are passed over.
  public init(_ bytes: [UInt8]) {
    var line = 0
    for part in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      line += 1
      guard part.contains(where: { $0 > 0x20 }) else { continue }
      do throws(JSONError) { values.append((line, try JSON(parsing: part))) } catch {
        faults.append(JSONError(line: line, column: error.column, message: error.message))
      }
    }
  }

  /// Whether a text looks like one: two lines at least, of which the first is an object or an array.
  public static func isOne(_ bytes: [UInt8]) -> Bool {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let lines = bytes[start...].split(separator: 0x0A, maxSplits: 8)
      .filter { $0.contains { $0 > 0x20 } }
    guard lines.count > 1, let first = try? JSON(parsing: lines[0]) else { return false }
    return first.object != nil || first.array != nil
  }
}

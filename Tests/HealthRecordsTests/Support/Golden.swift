import SyncKitFormats
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Files that show each format as it is written and read; a difference is a change of the format.
enum Golden {
  private static let folder: String = {
    let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    return "/\(tests)/Golden"
  }()

  static func text(_ name: String) throws -> String {
    let data = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
    return String(decoding: data, as: UTF8.self)
  }
}

/// Compares a text with a golden file; with `UPDATE_GOLDEN` set it writes the file instead.
func expectGolden(
  _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
    try Golden.write(text, name)
  }
  #expect(try Golden.text(name) == text, "\(name) differs", sourceLocation: sourceLocation)
}

extension Golden {
  fileprivate static func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
  }
}

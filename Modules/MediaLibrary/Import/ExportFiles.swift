import SyncKit

/// The files of an export, from a folder or an archive.
public struct ExportFiles {
  /// Their paths, in the order in which they are stored.
  public let paths: [String]
  private let contents: (String) throws -> [UInt8]

  /// Takes files by their paths.
  public init(paths: [String], contents: @escaping (String) throws -> [UInt8]) {
    self.paths = paths
    self.contents = contents
  }

  /// The path of a file in any folder, with its name in any case.
  func path(_ name: String) -> String? {
    paths.first { $0.lowercased() == name } ?? paths.first { $0.lowercased().hasSuffix("/" + name) }
  }

  /// The bytes of a file.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` that names the file.
  func read(_ path: String) throws -> [UInt8] {
    do { return try contents(path) } catch let error as SyncError { throw error } catch {
      throw SyncError(.inputInvalid, "\(path): \(error)")
    }
  }
}

/// Turns bytes into UTF-8 for readers that accept nothing else.
enum TextDecoding {
  /// The bytes as they are if they are UTF-8, else read as Windows-1252, of which latin-1 is a part.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    if String(validating: bytes, as: UTF8.self) != nil { return bytes }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      guard byte >= 0x80 else {
        text.append(byte)
        continue
      }
      let scalar = windows[byte] ?? Unicode.Scalar(byte)
      text.append(contentsOf: String(scalar).utf8)
    }
    return text
  }

  /// The characters in which Windows-1252 differs from latin-1.
  private static let windows: [UInt8: Unicode.Scalar] = [
    0x80: "\u{20AC}", 0x82: "\u{201A}", 0x83: "\u{0192}", 0x84: "\u{201E}", 0x85: "\u{2026}",
    0x86: "\u{2020}", 0x87: "\u{2021}", 0x88: "\u{02C6}", 0x89: "\u{2030}", 0x8A: "\u{0160}",
    0x8B: "\u{2039}", 0x8C: "\u{0152}", 0x8E: "\u{017D}", 0x91: "\u{2018}", 0x92: "\u{2019}",
    0x93: "\u{201C}", 0x94: "\u{201D}", 0x95: "\u{2022}", 0x96: "\u{2013}", 0x97: "\u{2014}",
    0x98: "\u{02DC}", 0x99: "\u{2122}", 0x9A: "\u{0161}", 0x9B: "\u{203A}", 0x9C: "\u{0153}",
    0x9E: "\u{017E}", 0x9F: "\u{0178}",
  ]
}

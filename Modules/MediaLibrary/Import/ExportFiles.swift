import SyncKitFormats
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

extension DecodedText {
  /// The text of a file in UTF-8.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` that names the file, when its encoding is unknown.
  static func utf8(_ bytes: [UInt8], file: String? = nil) throws -> [UInt8] {
    do throws(DecodedTextError) { return try DecodedText(bytes).utf8 } catch {
      throw SyncError(
        .inputInvalid, (file.map { "\($0): " } ?? "") + error.description,
        hint: DecodedTextError.hint)
    }
  }
}

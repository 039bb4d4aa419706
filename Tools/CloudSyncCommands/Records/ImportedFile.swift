import Formats
import SyncKit

/// The bytes of a file that is imported, and what they are.
struct ImportedFile {
  /// `-` for standard input.
  let name: String
  let bytes: [UInt8]
  /// By option or by the extension, in lowercase; nil when neither says.
  let format: String?

  /// Reads a file, or standard input for `-`.
  ///
  /// - Throws: ``SyncError`` `input.missing` when it is not there or cannot be read.
  init(_ name: String, format: String?, _ context: CommandContext) throws {
    self.name = name
    self.format = (format ?? Self.suffix(of: name)).map { $0.lowercased() }
    do throws(SystemError) {
      bytes =
        name == "-"
        ? try context.terminal.readAll() : try LocalFile.read(name, limit: Self.maximumSize)
    } catch {
      throw SyncError(.inputMissing, error.description)
    }
    guard bytes.count <= Self.maximumSize else {
      throw SyncError(
        .inputInvalid, "\(shownName) is larger than 2 GiB", hint: "import it in parts")
    }
  }

  private static let maximumSize = 1 << 31

  /// The records of the file: in a form of the domain's own, or in the general one.
  ///
  /// - Throws: ``SyncError`` `input.invalid` when the file as a whole cannot be read, `usage` for a
  ///   format that nobody knows.
  func records(of domain: any SyncDomain) throws -> ImportedRecords {
    guard bytes.contains(where: { !Self.blanks.contains($0) }) else {
      throw SyncError(.inputInvalid, "\(shownName) is empty")
    }
    do {
      if let own = try domain.importRecords(bytes, format: format) { return own }
      return try RecordFileReader(domain).read(bytes, format: format)
    } catch let error as SyncError where error.code == .inputInvalid {
      var error = error
      error.message = "\(shownName): \(error.message)"
      throw error
    }
  }

  /// The name in messages.
  var shownName: String { name == "-" ? "standard input" : Sanitized.line(name) }

  /// White space, and the bytes of a mark at the start.
  private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]

  /// What follows the last point of a file's name; nil when there is none.
  static func suffix(of path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let point = name.lastIndex(of: "."), point > name.startIndex else { return nil }
    let suffix = name[name.index(after: point)...]
    return suffix.isEmpty ? nil : String(suffix)
  }
}

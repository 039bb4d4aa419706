import LocalMachine
import CommandFoundation
import SyncKitFormats
import SyncKit

/// An imported file: its name, its format, and its bytes as they arrive.
final class ImportedFile {
  /// `-` for standard input.
  let name: String
  /// From the option or the extension, in lowercase; nil without either.
  let format: String?
  /// Whether the format was said, and not only guessed from the extension.
  let isFormatStated: Bool
  /// The first bytes.
  private var head: [UInt8]
  /// Nil for a folder.
  private let input: ImportInput?
  /// Whether all of the file is in ``head``.
  private var isRead = false

  /// Opens a file, a folder, or standard input for `-`, and reads the beginning of a file; all of it with an
  /// encoding, from which it becomes UTF-8.
  ///
  /// - Throws: ``SyncError`` `input.missing` if it does not exist or cannot be read, `input.invalid` if it is
  ///   not a text in `encoding`, `usage` if it is no text.
  init(
    _ name: String, format: String?, encoding: TextEncoding? = nil, _ context: CommandContext
  ) throws {
    self.name = name
    isFormatStated = format != nil
    self.format = (format ?? Self.suffix(of: name)).map { $0.lowercased() }
    guard name == "-" || !LocalFolder.exists(name) else {
      input = nil
      head = []
      guard encoding == nil else { throw notOneText }
      return
    }
    do throws(SystemError) {
      let opened = try ImportInput(name, context.terminal)
      head = try opened.next(atLeast: Self.headLength)
      input = opened
    } catch {
      throw SyncError(.inputMissing, error.description)
    }
    if let encoding { try decode(from: encoding) }
  }

  /// Of a folder and an archive each file may have another encoding, and XML says itself which it has.
  private var notOneText: SyncError {
    SyncError(
      .usage, "\(shownName): --encoding is for a single text, such as a table",
      hint: "leave it out, or name one of the files")
  }

  private func decode(from encoding: TextEncoding) throws {
    let bytes = try wholeFile()
    guard FileContent(of: bytes) == .text else { throw notOneText }
    do throws(DecodedTextError) { head = try encoding.utf8(of: bytes) } catch {
      throw SyncError(
        .inputInvalid, "\(shownName): \(error)",
        hint: "name another encoding, or leave --encoding out")
    }
    isRead = true
  }

  private static let headLength = 1 << 16
  private static let maximumSize = 1 << 31

  /// The records of the file: in one of the domain's own formats, or in the general one.
  ///
  /// Calls `progress` with the number of bytes read so far, for a file that is read piece by piece.
  ///
  /// - Throws: ``SyncError`` `input.invalid` if the file as a whole cannot be read, `usage` for an
  ///   unknown format.
  func records(
    of domain: any SyncDomain, progress: (Int) -> Void = { _ in }
  ) throws -> ImportedRecords {
    do {
      guard input != nil else { return try folder(domain) }
      let shortName = name == "-" ? nil : name.split(separator: "/").last.map(String.init)
      if var reader = try (domain as? any ImportingDomain)?.streamingImport(
        name: shortName, format: format, head: head)
      {
        return try stream(into: &reader, progress)
      }
      if name != "-", ZipArchive.isZip(head), let found = try archived(domain, progress) {
        return found
      }
      let (bytes, warning) = try text(of: wholeFile())
      guard bytes.contains(where: { !Self.blanks.contains($0) }) else {
        throw SyncError(.inputInvalid, "the file is empty")
      }
      var records = try records(in: bytes, of: domain)
      if let warning { records.warnings.append(warning) }
      return records
    } catch let error as SyncError where error.code == .inputInvalid {
      var error = error
      error.message = "\(shownName): \(error.message)"
      throw error
    }
  }

  private func records(in bytes: [UInt8], of domain: any SyncDomain) throws -> ImportedRecords {
    let own = domain as? any ImportingDomain
    if let records = try own?.importRecords(bytes, format: format) { return records }
    let general = RecordFileReader(domain)
    if isFormatStated { return try general.read(bytes, format: format) }
    // What is no text has no other reader.
    guard FileContent(of: bytes) == .text else {
      throw SyncError(.usage, "there is no format for such a file")
    }
    if RecordFileReader.formats.contains(format ?? "") {
      return try general.read(bytes, format: format)
    }
    // Any program may call a file anything: the content counts.
    return try own?.importRecords(bytes, format: nil) ?? general.read(bytes, format: nil)
  }

  /// The file as far as it was read, for recognising what it is.
  lazy var sample: FileSample = {
    var paths: [String] = []
    if name != "-", ZipArchive.isZip(head), let archive = try? ZipArchive(FileBytes(name)) {
      paths = archive.entries.map(\.path)
    }
    if input == nil {
      // As in the archive from which the folder came.
      let folder = name.split(separator: "/").last ?? ""
      let files = try? LocalFolder.files(below: name, atMost: Self.maximumFiles)
      paths = (files ?? []).map { "\(folder)/\($0)" }
    }
    return FileSample(name: name == "-" ? "" : name, head: head, paths: paths)
  }()

  /// The records of a folder to which an archive was unpacked.
  private func folder(_ domain: any SyncDomain) throws -> ImportedRecords {
    let root = name
    let paths: [String]
    do throws(SystemError) {
      paths = try LocalFolder.files(below: root, atMost: Self.maximumFiles)
    } catch {
      throw SyncError(.inputMissing, error.description)
    }
    let found = try (domain as? any ImportingDomain)?.importFolder(paths) { path in
      try LocalFile.read(LocalFolder.path(root, path), limit: Self.maximumSize)
    }
    guard let found else {
      throw SyncError(
        .inputInvalid, "it is a folder", hint: "name one of its files, or pack it as a zip archive")
    }
    return found
  }

  private static let maximumFiles = 10_000

  /// The file in UTF-8 if it is a text, and a word about its encoding if that was not certain.
  private func text(of bytes: [UInt8]) throws -> (bytes: [UInt8], warning: String?) {
    // XML says itself how it is encoded, and its readers know.
    guard FileContent(of: bytes) == .text else { return (bytes, nil) }
    do throws(DecodedTextError) {
      let text = try DecodedText(bytes)
      guard text.encoding == .windows1252 else { return (text.utf8, nil) }
      return (text.utf8, "the file is not UTF-8 and was read as Windows-1252 (Latin-1)")
    } catch {
      throw SyncError(.inputInvalid, error.description, hint: DecodedTextError.importHint)
    }
  }

  private func stream(
    into reader: inout any StreamingImport, _ progress: (Int) -> Void
  ) throws -> ImportedRecords {
    var chunk = head
    var count = 0
    while !chunk.isEmpty {
      try reader.read(chunk[...])
      count += chunk.count
      progress(count)
      chunk = try next()
    }
    return try reader.finish()
  }

  /// The records of the first entry of an archive that the domain reads piece by piece.
  private func archived(
    _ domain: any SyncDomain, _ progress: (Int) -> Void
  ) throws -> ImportedRecords? {
    do {
      let archive = try ZipArchive(FileBytes(name))
      for entry in archive.entries where !entry.isFolder {
        guard var reader = try reader(of: entry, in: archive, domain) else { continue }
        var count = 0
        try archive.forEachChunk(of: entry) { chunk in
          try reader.read(chunk[...])
          count += chunk.count
          progress(count)
        }
        return try reader.finish()
      }
      return nil
    } catch let error as ArchiveError {
      throw SyncError(.inputInvalid, "\(error)")
    } catch let error as SystemError {
      throw SyncError(.inputMissing, error.description)
    }
  }

  private func reader(
    of entry: ZipEntry, in archive: ZipArchive, _ domain: any SyncDomain
  ) throws -> (any StreamingImport)? {
    struct StopReading: Error {}
    var head: [UInt8] = []
    do {
      try archive.forEachChunk(of: entry) { chunk in
        head += chunk
        if head.count >= Self.headLength { throw StopReading() }
      }
    } catch is StopReading {}
    let format = Self.suffix(of: entry.path)?.lowercased()
    return try (domain as? any ImportingDomain)?.streamingImport(
      name: entry.path, format: format, head: head)
  }

  private func wholeFile() throws -> [UInt8] {
    var bytes = head
    while case let chunk = try next(), !chunk.isEmpty {
      bytes += chunk
      guard bytes.count <= Self.maximumSize else {
        throw SyncError(
          .inputInvalid, "the file is larger than 2 GiB", hint: "import it in parts")
      }
    }
    return bytes
  }

  private func next() throws -> [UInt8] {
    guard let input, !isRead else { return [] }
    do throws(SystemError) { return try input.next() } catch {
      throw SyncError(.inputMissing, error.description)
    }
  }

  /// How many bytes the file has that are read one after another; nil when that is not known before.
  var size: Int? {
    guard name != "-", !ZipArchive.isZip(head) else { return nil }
    let size = LocalFile.size(name)
    return size > 0 ? Int(size) : nil
  }

  /// The name in messages.
  var shownName: String { name == "-" ? "standard input" : Sanitized.line(name) }

  /// White space, and the bytes of a mark at the start.
  private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]

  /// The text after the last dot of a file's name; nil without one.
  static func suffix(of path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let point = name.lastIndex(of: "."), point > name.startIndex else { return nil }
    let suffix = name[name.index(after: point)...]
    return suffix.isEmpty ? nil : String(suffix)
  }
}

import CommandFoundation
public import SyncKitFormats

/// What can be told of a file before it is read, enough to recognise what it is.
///
/// A domain recognises its own files by it (``RecordInput/recognize``), so that a command which was given
/// another domain's file can name the command that reads it.
public struct FileSample: Sendable {
  /// The name of the file, without folders; empty for standard input.
  public var name: String
  /// What the first bytes say.
  public var content: FileContent
  /// The paths in an archive.
  public var paths: [String]
  /// The beginning of a text, at most 64 KiB, in small letters.
  public var text: String
  /// The cells of the first row of a table, in small letters.
  public var header: [String]
  /// What stands at the top of a JSON document.
  public var outline: JSONOutline

  /// Takes the beginning of a file.
  ///
  /// - Parameters:
  ///   - name: The name of the file; empty if it has none.
  ///   - head: Its first bytes.
  ///   - paths: What it holds, if it is an archive.
  public init(name: String = "", head: [UInt8], paths: [String] = []) {
    self.name = name.split(separator: "/").last.map(String.init) ?? ""
    self.paths = paths
    content = FileContent(of: head)
    (text, header, outline) = ("", [], JSONOutline([]))
    guard content == .text || content == .markup else { return }
    // The last line may be cut off within a character.
    let end = head.lastIndex(of: 0x0A).map { $0 + 1 } ?? head.count
    let whole = head.count < Self.size ? head : Array(head[..<end])
    let bytes = (try? DecodedText(whole))?.utf8 ?? whole
    text = String(decoding: bytes.prefix(Self.size), as: UTF8.self).lowercased()
    let first = bytes.first { $0 > 0x20 && $0 < 0x80 }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      outline = JSONOutline(bytes)
    } else if content == .text {
      var reader = CSVReader(bytes, dialect: CSVDialect(of: bytes))
      let cells = (try? reader.next())?.cells ?? []
      header = cells.map { $0.trimmingSpaces.lowercased() }
    }
  }

  /// So many bytes are looked at.
  static let size = 1 << 16

  /// The names of the files in an archive, without folders and in small letters.
  public var entryNames: Set<String> {
    Set(paths.map { $0.split(separator: "/").last.map(String.init)?.lowercased() ?? "" })
  }
}

/// A file that a domain recognises as one that it reads.
public struct RecognizedFile: Sendable, Equatable {
  /// What it is, with its article: `a Letterboxd archive`.
  public var what: String
  /// The verbs of the domain that read it, the best first: `import`.
  public var verbs: [String]

  /// Names a file and the verbs that read it.
  public init(_ what: String, verbs: [String] = ["import"]) {
    self.what = what
    self.verbs = verbs
  }
}

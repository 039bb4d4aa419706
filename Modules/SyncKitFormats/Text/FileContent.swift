/// What a file is by its first bytes, whatever its name.
public enum FileContent: String, CaseIterable, Sendable {
  /// A ZIP archive.
  case zip
  /// A gzip file.
  case gzip
  /// A 7z archive.
  case sevenZip
  /// A RAR archive.
  case rar
  /// A tar archive.
  case tar
  /// A PDF document.
  case pdf
  /// A picture.
  case image
  /// A document of an office program.
  case office
  /// An SQLite database.
  case sqlite
  /// A property list as bytes.
  case binaryPropertyList
  /// A FIT activity.
  case fit
  /// XML or HTML.
  case markup
  /// None of the others: a text, as far as the first bytes tell.
  case text

  /// Looks at the first bytes; 512 are enough.
  public init(of bytes: some Sequence<UInt8>) {
    let head = Array(bytes.prefix(512))
    for (start, content) in Self.starts where head.starts(with: start) {
      self = content
      return
    }
    if head.count >= 12, Array(head[8..<12]) == Array(".FIT".utf8) {
      self = .fit
    } else if head.count >= 262, Array(head[257..<262]) == Array("ustar".utf8) {
      self = .tar
    } else {
      // A mark and bytes of zero belong to the encoding.
      let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0x00, 0x20, 0x09, 0x0A, 0x0D]
      let first = head.first { !marks.contains($0) }
      self = first == UInt8(ascii: "<") ? .markup : .text
    }
  }

  private static let starts: [([UInt8], FileContent)] = [
    ([0x50, 0x4B, 0x03, 0x04], .zip), ([0x50, 0x4B, 0x05, 0x06], .zip), ([0x1F, 0x8B], .gzip),
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .sevenZip), (Array("Rar!".utf8), .rar),
    (Array("%PDF-".utf8), .pdf), (Array("SQLite format 3\0".utf8), .sqlite),
    (Array("bplist0".utf8), .binaryPropertyList), ([0xD0, 0xCF, 0x11, 0xE0], .office),
    ([0x89, 0x50, 0x4E, 0x47], .image), ([0xFF, 0xD8, 0xFF], .image),
    (Array("GIF8".utf8), .image),
  ]
}

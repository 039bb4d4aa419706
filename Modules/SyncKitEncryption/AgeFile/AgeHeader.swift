import SyncCrypto
import SyncKit
import SyncKitText

/// The head of a file of age: stanzas that each wrap the key of the file, and a code over all of them.
package struct AgeHeader {
  /// What wraps the key of the file for one recipient.
  package struct Stanza: Equatable {
    /// The type, then what it needs.
    var arguments: [String]
    var body: [UInt8]
  }

  /// The first line without the number of its version.
  static let magic = Array("age-encryption.org/".utf8)
  static let fileKeyLength = 16
  /// No header with a passphrase comes near it.
  private static let limit = 64 << 10

  package let stanzas: [Stanza]
  /// How many bytes it has; the payload follows.
  package let length: Int
  /// What the code covers: everything to the three dashes.
  package let covered: [UInt8]
  private let code: [UInt8]

  /// Reads the header at the start of a file; only the one form that the specification allows.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid`.
  package init(_ file: [UInt8]) throws(SyncError) {
    var lines = AgeLines(file.prefix(Self.limit))
    guard let first = lines.next(), first.utf8.starts(with: Self.magic) else {
      throw .badAge("it does not begin as a file of age")
    }
    guard first == "age-encryption.org/v1" else {
      throw .badAge("it has a newer version", hint: "'age -d' may open it")
    }
    var stanzas: [Stanza] = []
    while let start = lines.next() {
      if start.utf8.starts(with: "---".utf8) {
        guard !stanzas.isEmpty, start.utf8.starts(with: "--- ".utf8),
          let code = Self.decoded(String(start.dropFirst(4))), code.count == SHA256.length
        else { throw Self.malformed }
        self.stanzas = stanzas
        self.code = code
        length = lines.position
        covered = Array(file[..<(lines.position - start.utf8.count - 1 + 3)])
        return
      }
      stanzas.append(try Self.stanza(start, &lines))
    }
    throw .badAge("its header is cut short or damaged")
  }

  /// Whether its code is that of the file's key; compared in constant time.
  package func isSealed(by fileKey: [UInt8]) -> Bool {
    Secret.isEqual(code, Self.code(of: covered, fileKey))
  }

  /// The bytes of a header.
  package static func serialized(_ stanzas: [Stanza], fileKey: [UInt8]) -> [UInt8] {
    var bytes = magic + Array("v1\n".utf8)
    for stanza in stanzas {
      bytes += Array("-> \(stanza.arguments.joined(separator: " "))\n".utf8)
      let text = Array(encoded(stanza.body).utf8)
      // The last line is shorter than the others, if need be empty.
      for start in stride(from: 0, through: text.count, by: width) {
        bytes += text[start..<min(start + width, text.count)] + [0x0A]
      }
    }
    bytes += Array("---".utf8)
    return bytes + Array(" \(encoded(code(of: bytes, fileKey)))\n".utf8)
  }

  // MARK: Parts

  private static let width = 64
  private static var malformed: SyncError { .badAge("its header is damaged") }

  private static func stanza(
    _ start: String, _ lines: inout AgeLines
  ) throws(SyncError) -> Stanza {
    let words = start.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count > 1, words[0] == "->", words.allSatisfy({ !$0.isEmpty }) else {
      throw malformed
    }
    var text = ""
    while let line = lines.next(), line.utf8.count <= width {
      text += line
      guard line.utf8.count < width else { continue }
      guard let body = decoded(text) else { throw malformed }
      return Stanza(arguments: Array(words.dropFirst()), body: body)
    }
    throw malformed
  }

  private static func code(of covered: [UInt8], _ fileKey: [UInt8]) -> [UInt8] {
    let key = KeyDerivation.expand(
      KeyDerivation.extract(fileKey, salt: []), for: Array("header".utf8))
    return MessageCode.of(covered, key: key)
  }

  /// Base64 without padding.
  static func encoded(_ bytes: [UInt8]) -> String {
    String(Base64.encode(bytes).prefix { $0 != "=" })
  }

  /// The bytes of base64 without padding; nil for a text that ``encoded(_:)`` does not write.
  static func decoded(_ text: String) -> [UInt8]? {
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    guard let bytes = Base64.decode(text + padding), encoded(bytes) == text else { return nil }
    return bytes
  }
}

/// The lines at the start of a file: printable ASCII, each ended by one line feed.
private struct AgeLines {
  private let bytes: ArraySlice<UInt8>
  /// Where the next line begins.
  private(set) var position = 0

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// The next line without its end; nil where none comes, or one has another character.
  mutating func next() -> String? {
    guard let end = bytes[position...].firstIndex(of: 0x0A) else { return nil }
    let line = bytes[position..<end]
    guard line.allSatisfy({ 0x20...0x7E ~= $0 }) else { return nil }
    position = end + 1
    return String(decoding: line, as: UTF8.self)
  }
}

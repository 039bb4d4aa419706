/// What a server has sent that breaks the protocol.
struct SFTPBreach: Error, Hashable {
  /// What is wrong, in words.
  let what: String
  /// The beginning, when it is the text of some program and no packet.
  var text: String?

  /// Says what is wrong.
  init(_ what: String, text: String? = nil) {
    self.what = what
    self.text = text
  }
}

/// Reads the numbers and strings of a packet, from bytes that may be anything.
///
/// Every read checks the bounds first; nothing traps.
struct SFTPReader {
  private let bytes: [UInt8]
  private var position = 0

  /// Reads a packet.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// How many bytes are left.
  var remaining: Int { bytes.count - position }

  /// Reads one byte.
  mutating func byte() throws(SFTPBreach) -> UInt8 {
    guard remaining >= 1 else { throw Self.tooShort }
    defer { position += 1 }
    return bytes[position]
  }

  /// Reads four bytes, most significant first.
  mutating func word() throws(SFTPBreach) -> UInt32 {
    guard remaining >= 4 else { throw Self.tooShort }
    var value: UInt32 = 0
    for index in position..<position + 4 { value = value << 8 | UInt32(bytes[index]) }
    position += 4
    return value
  }

  /// Reads eight bytes, most significant first.
  mutating func long() throws(SFTPBreach) -> UInt64 {
    let high = try word()
    return UInt64(high) << 32 | UInt64(try word())
  }

  /// Reads a length and as many bytes.
  mutating func string(limit: Int = .max) throws(SFTPBreach) -> [UInt8] {
    let count = Int(try word())
    guard count <= remaining else { throw Self.tooShort }
    guard count <= limit else { throw SFTPBreach("a string of \(count) bytes") }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  private static let tooShort = SFTPBreach("a packet that ends too early")
}

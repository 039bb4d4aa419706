/// Cuts what a server sends into packets, whatever the pieces in which it comes.
struct SFTPFrames {
  /// No longer packet is taken: 256 KiB of data and what is around them.
  static let maximumLength = (256 << 10) + (1 << 10)

  private var bytes: [UInt8] = []
  private var start = 0
  private var isFirst = true

  /// Whether a text may begin with a byte: a character, white space, or the escape of a colour.
  ///
  /// A packet that is not too long begins with 0.
  private static func beginsText(_ byte: UInt8) -> Bool {
    switch byte {
    case 9...13, 0x1B, 0x20..<0x7F, 0xC2...0xF4: true
    default: false
    }
  }

  /// Takes the next bytes.
  mutating func take(_ piece: some Collection<UInt8>) {
    if start > 0, start == bytes.count || start > Self.maximumLength {
      bytes.removeFirst(start)
      start = 0
    }
    bytes += piece
  }

  /// The next packet without its length; nil until all of it is there.
  ///
  /// - Throws: ``SFTPBreach`` for one that is longer than a packet may be, or empty.
  mutating func next() throws(SFTPBreach) -> [UInt8]? {
    guard bytes.count - start >= 4 else { return nil }
    var length = 0
    for index in start..<start + 4 { length = length << 8 | Int(bytes[index]) }
    guard length > 0, length <= Self.maximumLength else {
      // A login script that prints something does it before the server speaks; a packet of the server may follow.
      let head = bytes[start...].prefix(80).prefix { $0 != 0 }
      let isText = isFirst && head.first.map(Self.beginsText) == true
      throw SFTPBreach(
        "a packet of \(length) bytes", text: isText ? String(decoding: head, as: UTF8.self) : nil)
    }
    guard bytes.count - start - 4 >= length else { return nil }
    isFirst = false
    defer { start += 4 + length }
    return Array(bytes[start + 4..<start + 4 + length])
  }
}

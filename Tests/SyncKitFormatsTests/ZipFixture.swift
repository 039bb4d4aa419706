@testable import SyncKitFormats

/// A ZIP archive byte by byte, so that tests can make what no honest writer would.
struct ZipFixture {
  struct Entry {
    var name: [UInt8]
    var packed: [UInt8]
    var size: Int
    var checksum: UInt32
    var flags = 0
    var method = 0
    var madeBy = 3
    var extra: [UInt8] = []
    var localName: [UInt8]?
    var hasDescriptor = false
    var isLarge = false
    /// Where the directory says that the entry begins; nil for the truth.
    var claimedOffset: Int?

    init(_ name: String, _ text: String) {
      self.init(name: Array(name.utf8), text: Array(text.utf8))
    }

    init(name: [UInt8], text: [UInt8]) {
      self.name = name
      packed = text
      size = text.count
      checksum = Deflater.checksum(text[...], after: 0)
    }

    func deflated() throws -> Self {
      var entry = self
      entry.packed = try Deflater.pack(packed, windowBits: Deflater.raw)
      entry.method = 8
      return entry
    }
  }

  var entries: [Entry]
  var comment: [UInt8] = []
  var isLarge = false
  var claimedCount: Int?

  init(_ entries: [Entry]) { self.entries = entries }

  var bytes: [UInt8] {
    var output: [UInt8] = []
    var directory: [UInt8] = []
    for entry in entries {
      let offset = output.count
      let flags = entry.flags | (entry.hasDescriptor ? 8 : 0)
      let localName = entry.localName ?? entry.name
      let none = entry.hasDescriptor
      output += Self.number(0x0403_4B50, 4) + Self.number(45, 2) + Self.number(flags, 2)
      output += Self.number(entry.method, 2) + Self.number(0, 4)
      output += Self.number(none ? 0 : Int(entry.checksum), 4)
      output += Self.number(none ? 0 : entry.isLarge ? 0xFFFF_FFFF : entry.packed.count, 4)
      output += Self.number(none ? 0 : entry.isLarge ? 0xFFFF_FFFF : entry.size, 4)
      output += Self.number(localName.count, 2) + Self.number(entry.isLarge ? 20 : 0, 2)
      output += localName
      if entry.isLarge { output += large([entry.size, entry.packed.count]) }
      output += entry.packed
      if entry.hasDescriptor {
        output += Self.number(0x0807_4B50, 4) + Self.number(Int(entry.checksum), 4)
        output += Self.number(entry.packed.count, 4) + Self.number(entry.size, 4)
      }
      let begin = entry.claimedOffset ?? offset
      let extra =
        (entry.isLarge ? large([entry.size, entry.packed.count, begin]) : []) + entry.extra
      directory += Self.number(0x0201_4B50, 4) + Self.number(entry.madeBy << 8 | 45, 2)
      directory += Self.number(45, 2) + Self.number(flags, 2) + Self.number(entry.method, 2)
      directory += Self.number(0, 4) + Self.number(Int(entry.checksum), 4)
      directory += Self.number(entry.isLarge ? 0xFFFF_FFFF : entry.packed.count, 4)
      directory += Self.number(entry.isLarge ? 0xFFFF_FFFF : entry.size, 4)
      directory += Self.number(entry.name.count, 2) + Self.number(extra.count, 2)
      directory += Self.number(0, 10)
      directory += Self.number(entry.isLarge ? 0xFFFF_FFFF : begin, 4)
      directory += entry.name + extra
    }
    let start = output.count
    let count = claimedCount ?? entries.count
    output += directory
    if isLarge {
      let record = output.count
      output += Self.number(0x0606_4B50, 4) + Self.number(44, 8) + Self.number(45, 2)
      output += Self.number(45, 2) + Self.number(0, 8) + Self.number(count, 8)
      output += Self.number(count, 8) + Self.number(directory.count, 8) + Self.number(start, 8)
      output += Self.number(0x0706_4B50, 4) + Self.number(0, 4) + Self.number(record, 8)
      output += Self.number(1, 4)
    }
    output += Self.number(0x0605_4B50, 4) + Self.number(0, 4)
    output += Self.number(isLarge ? 0xFFFF : count, 2) + Self.number(isLarge ? 0xFFFF : count, 2)
    output += Self.number(isLarge ? 0xFFFF_FFFF : directory.count, 4)
    output += Self.number(isLarge ? 0xFFFF_FFFF : start, 4)
    return output + Self.number(comment.count, 2) + comment
  }

  private func large(_ numbers: [Int]) -> [UInt8] {
    Self.number(1, 2) + Self.number(8 * numbers.count, 2) + numbers.flatMap { Self.number($0, 8) }
  }

  static func number(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> (8 * $0)) : 0 }
  }
}

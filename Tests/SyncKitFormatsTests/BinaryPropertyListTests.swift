import Testing

@testable import SyncKitFormats

/// Property lists in binary form, sound and hostile.
struct BinaryPropertyListTests {
  private static let values: [PropertyList] = [
    .bool(true), .bool(false), .int(0), .int(1), .int(-1), .int(255), .int(256), .int(65_536),
    .int(.max), .int(.min), .uint(.max), .double(1), .double(-0.0), .double(0.1),
    .double(.infinity), .double(-.infinity), .string(""), .string("plain"), .string("é漢😀"),
    .string(String(repeating: "x", count: 300)), .date(milliseconds: 0),
    .date(milliseconds: 1_795_251_723_456), .date(milliseconds: -62_167_219_200_000), .data([]),
    .data([0, 255]), .data([UInt8](repeating: 7, count: 70_000)), .array([]), .dictionary([]),
    .array((0..<300).map { .int($0) }),
    .dictionary([.init("b", .array([.string("b"), .string("b")])), .init("a", .dictionary([]))]),
  ]

  @Test(arguments: values)
  func `every value comes back with its kind`(value: PropertyList) throws {
    let bytes = try value.serialized(as: .binary)
    #expect(bytes.starts(with: "bplist00".utf8))
    #expect(PropertyList.form(of: bytes) == .binary)
    #expect(try PropertyList(parsing: bytes) == value)
    let nested = PropertyList.dictionary([.init("k", .array([value, value]))])
    #expect(try PropertyList(parsing: nested.serialized(as: .binary)) == nested)
  }

  @Test func `not a number is kept`() throws {
    let bytes = try PropertyList.double(.nan).serialized(as: .binary)
    guard case .double(let number) = try PropertyList(parsing: bytes) else {
      return #expect(Bool(false))
    }
    #expect(number.isNaN)
  }

  /// What `plutil` makes of `{"a": true, "n": 1}`.
  private static let small: [UInt8] =
    Array("bplist00".utf8) + [0xD2, 1, 2, 3, 4, 0x51, 0x61, 0x51, 0x6E, 0x09, 0x10, 0x01]
    + [8, 13, 15, 17, 18] + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 5]
    + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 20]

  @Test func `a file of other makers is read`() throws {
    #expect(
      try PropertyList(parsing: Self.small)
        == .dictionary([.init("a", .bool(true)), .init("n", .int(1))]))
  }

  @Test func `a file that is cut off anywhere is refused`() {
    for count in 0..<Self.small.count {
      #expect(throws: PropertyListError.self) {
        try PropertyList(parsing: Array(Self.small.prefix(count)))
      }
    }
  }

  @Test func `no change of any byte does worse than an error`() {
    for index in Self.small.indices {
      for byte in UInt8.min ... .max {
        var bytes = Self.small
        bytes[index] = byte
        _ = try? PropertyList(parsing: bytes)
      }
    }
  }

  @Test func `a list that contains itself is refused`() {
    let bytes =
      Array("bplist00".utf8) + [0xA1, 0] + [8] + [0, 0, 0, 0, 0, 0, 1, 1]
      + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 10]
    #expect(throws: PropertyListError.self) { try PropertyList(parsing: bytes) }
  }

  @Test func `a small file that stands for endless values is refused`() {
    // 30 lists, each with ten times the next: 10 to the 30th values.
    var bytes = Array("bplist00".utf8)
    for number in 0..<30 {
      bytes += [0xAA] + [UInt8](repeating: UInt8(number + 1), count: 10)
    }
    var table: [UInt8] = []
    for number in 0..<30 {
      let offset = 8 + number * 11
      table += [UInt8(offset >> 8), UInt8(offset & 0xFF)]
    }
    let last = bytes.count
    bytes.append(0x09)
    table += [UInt8(last >> 8), UInt8(last & 0xFF)]
    let start = bytes.count
    bytes += table + [0, 0, 0, 0, 0, 0, 2, 1] + [0, 0, 0, 0, 0, 0, 0, 31]
    bytes += [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, UInt8(start >> 8), UInt8(start & 0xFF)]
    let error = #expect(throws: PropertyListError.self) { try PropertyList(parsing: bytes) }
    #expect(error?.message.contains("far more") == true)
  }

  @Test(
    arguments: [
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
      [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
      [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF],
    ] as [[UInt8]])
  func `numbers in the trailer that reach beyond the file are refused`(number: [UInt8]) {
    for place in [8, 16, 24] {
      var bytes = Self.small
      let start = bytes.count - 32 + place
      bytes.replaceSubrange(start..<start + 8, with: number)
      #expect(throws: PropertyListError.self) { try PropertyList(parsing: bytes) }
    }
  }
}

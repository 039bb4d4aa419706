/// Writes small FIT files for tests, byte by byte as the protocol has it.
struct FITWriter {
  var messages: [UInt8] = []
  var isBigEndian = false

  /// A field: its number, its base type, and its value as that many bytes.
  struct Field {
    var number: UInt8
    var type: UInt8
    var size: Int
    var value: UInt64

    static func u8(_ number: UInt8, _ value: UInt64, type: UInt8 = 0x02) -> Field {
      Field(number: number, type: type, size: 1, value: value)
    }
    static func u16(_ number: UInt8, _ value: UInt64) -> Field {
      Field(number: number, type: 0x84, size: 2, value: value)
    }
    static func u32(_ number: UInt8, _ value: UInt64) -> Field {
      Field(number: number, type: 0x86, size: 4, value: value)
    }
  }

  /// A definition and one message of it.
  mutating func add(
    _ local: UInt8, _ number: UInt16, _ fields: [Field], developer: [UInt8] = []
  ) {
    define(local, number, fields, developerSizes: developer.isEmpty ? [] : [developer.count])
    messages.append(local)
    append(fields)
    messages += developer
  }

  mutating func define(
    _ local: UInt8, _ number: UInt16, _ fields: [Field], developerSizes: [Int] = []
  ) {
    messages.append(0x40 | local | (developerSizes.isEmpty ? 0 : 0x20))
    messages += [0, isBigEndian ? 1 : 0]
    messages += bytes(UInt64(number), 2)
    messages.append(UInt8(fields.count))
    for field in fields { messages += [field.number, UInt8(field.size), field.type] }
    guard !developerSizes.isEmpty else { return }
    messages.append(UInt8(developerSizes.count))
    for (index, size) in developerSizes.enumerated() {
      messages += [UInt8(index), UInt8(size), 0]
    }
  }

  /// A message of a definition that was written before.
  mutating func addData(_ local: UInt8, _ fields: [Field]) {
    messages.append(local)
    append(fields)
  }

  /// A message under a header with five bits of the time.
  mutating func addCompressed(_ local: UInt8, offset: UInt8, _ fields: [Field]) {
    messages.append(0x80 | local << 5 | offset & 0x1F)
    append(fields)
  }

  private mutating func append(_ fields: [Field]) {
    for field in fields { messages += bytes(field.value, field.size) }
  }

  private func bytes(_ value: UInt64, _ size: Int) -> [UInt8] {
    let little = (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    return isBigEndian ? little.reversed() : little
  }

  /// The whole file.
  func file(headerSize: UInt8 = 14) -> [UInt8] {
    var bytes: [UInt8] = [headerSize, 0x20, 0x54, 0x08]
    bytes += (0..<4).map { UInt8(truncatingIfNeeded: messages.count >> ($0 * 8)) }
    bytes += Array(".FIT".utf8)
    if headerSize == 14 { bytes += Self.checksum(bytes) }
    bytes += messages
    return bytes + Self.checksum(bytes)
  }

  /// The checksum in the way of the protocol's own example, half a byte at a time.
  static func checksum(_ bytes: [UInt8]) -> [UInt8] {
    let table: [UInt16] = [
      0x0000, 0xCC01, 0xD801, 0x1400, 0xF001, 0x3C00, 0x2800, 0xE401, 0xA001, 0x6C00, 0x7800,
      0xB401, 0x5000, 0x9C01, 0x8801, 0x4400,
    ]
    var sum: UInt16 = 0
    for byte in bytes {
      for half in [byte & 0xF, byte >> 4] {
        let next = table[Int(sum & 0xF)]
        sum = (sum >> 4) & 0x0FFF ^ next ^ table[Int(half)]
      }
    }
    return [UInt8(truncatingIfNeeded: sum), UInt8(sum >> 8)]
  }

  /// 2024-01-15T07:30:00Z in the time of the format.
  static let morning: UInt64 = 1_705_303_800 - 631_065_600

  /// An hour's ride with an empty message of developers, a device, a lap and a session.
  static func ride(headerSize: UInt8 = 14, isBigEndian: Bool = false) -> [UInt8] {
    var writer = FITWriter()
    writer.isBigEndian = isBigEndian
    writer.add(0, 0, [.u8(0, 4, type: 0x00), .u16(1, 1), .u32(4, morning)])
    writer.add(1, 23, [.u32(253, morning), .u8(0, 0), .u16(2, 1)])
    let record: [Field] = [.u32(253, morning), .u32(5, 0)]
    writer.add(2, 20, record, developer: [1, 2, 3])
    writer.add(
      3, 19, [.u32(253, morning + 3_700), .u32(2, morning), .u32(7, 3_700_000), .u32(9, 2_512_345)])
    writer.add(
      4, 18,
      [
        .u32(253, morning + 3_700), .u32(2, morning), .u8(5, 2, type: 0), .u8(6, 8, type: 0),
        .u32(7, 3_700_000), .u32(8, 3_600_000), .u32(9, 2_512_345), .u16(22, 321),
      ])
    writer.add(5, 34, [.u32(253, morning + 3_700), .u32(0, 3_600_000), .u16(1, 1)])
    return writer.file(headerSize: headerSize)
  }
}

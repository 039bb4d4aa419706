/// Writes the binary form; equal texts are written once, as other writers do.
struct BinaryPropertyListWriter {
  private var objects: [[UInt8]] = []
  private var containers: [(object: Int, references: [Int])] = []
  private var texts: [[UInt8]: Int] = [:]

  static func write(_ value: PropertyList) -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    _ = writer.add(value)
    return writer.file
  }

  /// Adds an object and those in it, and returns its number; the root is the first.
  private mutating func add(_ value: PropertyList) -> Int {
    switch value {
    case .bool(let value): return append([value ? 0x09 : 0x08])
    case .int(let value): return append(Self.integer(value))
    case .uint(let value):
      return append([0x14] + [UInt8](repeating: 0, count: 8) + Self.digits(value, size: 8))
    case .double(let value): return append([0x23] + Self.digits(value.bitPattern, size: 8))
    case .date(let milliseconds):
      let seconds = (Double(milliseconds) - Double(PropertyList.epoch)) / 1000
      return append([0x33] + Self.digits(seconds.bitPattern, size: 8))
    case .data(let bytes): return append(Self.marker(0x40, bytes.count) + bytes)
    case .string(let text): return add(text)
    case .array(let values):
      let number = append(Self.marker(0xA0, values.count))
      let references = values.map { add($0) }
      containers.append((number, references))
      return number
    case .dictionary(let members):
      let number = append(Self.marker(0xD0, members.count))
      let keys = members.map { add($0.key) }
      let values = members.map { add($0.value) }
      containers.append((number, keys + values))
      return number
    }
  }

  private mutating func add(_ text: String) -> Int {
    let bytes = Array(text.utf8)
    if let known = texts[bytes] { return known }
    let number: Int
    if bytes.allSatisfy({ $0 < 0x80 }) {
      number = append(Self.marker(0x50, bytes.count) + bytes)
    } else {
      let units = Array(text.utf16)
      number = append(
        Self.marker(0x60, units.count)
          + units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] })
    }
    texts[bytes] = number
    return number
  }

  private mutating func append(_ object: [UInt8]) -> Int {
    objects.append(object)
    return objects.count - 1
  }

  private var file: [UInt8] {
    var objects = objects
    let referenceSize = Self.size(UInt64(objects.count))
    for (number, references) in containers {
      for reference in references {
        objects[number] += Self.digits(UInt64(reference), size: referenceSize)
      }
    }
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt64] = []
    for object in objects {
      offsets.append(UInt64(bytes.count))
      bytes += object
    }
    let table = UInt64(bytes.count)
    let offsetSize = Self.size(table)
    for offset in offsets { bytes += Self.digits(offset, size: offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    for number in [UInt64(objects.count), 0, table] { bytes += Self.digits(number, size: 8) }
    return bytes
  }

  private static func marker(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind | UInt8(count)] : [kind | 0x0F] + integer(Int64(count))
  }

  private static func integer(_ value: Int64) -> [UInt8] {
    // A negative number takes eight bytes: shorter ones have no sign.
    let size = value < 0 ? 8 : size(UInt64(value))
    let power = size == 1 ? 0 : size == 2 ? 1 : size <= 4 ? 2 : 3
    return [0x10 | UInt8(power)] + digits(UInt64(bitPattern: value), size: 1 << power)
  }

  /// How many bytes a number takes: 1, 2, 4 or 8.
  private static func size(_ value: UInt64) -> Int {
    value <= 0xFF ? 1 : value <= 0xFFFF ? 2 : value <= 0xFFFF_FFFF ? 4 : 8
  }

  private static func digits(_ value: UInt64, size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }
}

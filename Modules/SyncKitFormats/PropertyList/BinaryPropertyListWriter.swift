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
    default: return append(Self.object(value))
    }
  }

  /// The bytes of a value that contains no others.
  static func object(_ value: PropertyList) -> [UInt8] {
    switch value {
    case .bool(let value): return [value ? 0x09 : 0x08]
    case .int(let value): return integer(value)
    case .uint(let value):
      return [0x14] + [UInt8](repeating: 0, count: 8) + digits(value, size: 8)
    case .double(let value): return [0x23] + digits(value.bitPattern, size: 8)
    case .date(let milliseconds):
      let seconds = (Double(milliseconds) - Double(PropertyList.epoch)) / 1000
      return [0x33] + digits(seconds.bitPattern, size: 8)
    case .data(let bytes): return marker(0x40, bytes.count) + bytes
    case .reference(let number):
      let size = size(number)
      return [0x80 | UInt8(size - 1)] + digits(number, size: size)
    case .string(let text):
      let bytes = Array(text.utf8)
      if bytes.allSatisfy({ $0 < 0x80 }) { return marker(0x50, bytes.count) + bytes }
      let units = Array(text.utf16)
      return marker(0x60, units.count)
        + units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    case .array, .dictionary: return []
    }
  }

  private mutating func add(_ text: String) -> Int {
    let bytes = Array(text.utf8)
    if let known = texts[bytes] { return known }
    let number = append(Self.object(.string(text)))
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
    return Self.file(objects, referenceSize: referenceSize, root: 0)
  }

  /// The file of some objects.
  static func file(_ objects: [[UInt8]], referenceSize: Int, root: Int) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt64] = []
    for object in objects {
      offsets.append(UInt64(bytes.count))
      bytes += object
    }
    let table = UInt64(bytes.count)
    let offsetSize = size(table)
    for offset in offsets { bytes += digits(offset, size: offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    for number in [UInt64(objects.count), UInt64(root), table] {
      bytes += digits(number, size: 8)
    }
    return bytes
  }

  static func marker(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind | UInt8(count)] : [kind | 0x0F] + integer(Int64(count))
  }

  private static func integer(_ value: Int64) -> [UInt8] {
    // A negative number takes eight bytes: shorter ones have no sign.
    let size = value < 0 ? 8 : size(UInt64(value))
    let power = size == 1 ? 0 : size == 2 ? 1 : size <= 4 ? 2 : 3
    return [0x10 | UInt8(power)] + digits(UInt64(bitPattern: value), size: 1 << power)
  }

  /// How many bytes a number takes: 1, 2, 4 or 8.
  static func size(_ value: UInt64) -> Int {
    value <= 0xFF ? 1 : value <= 0xFFFF ? 2 : value <= 0xFFFF_FFFF ? 4 : 8
  }

  static func digits(_ value: UInt64, size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }
}

// The bytes of a value: a tag, then the content. Documented in Documentation/Formats/Segment.md.

private enum Tag {
  static let null: UInt8 = 0
  static let `false`: UInt8 = 1
  static let `true`: UInt8 = 2
  static let int: UInt8 = 3
  static let double: UInt8 = 4
  static let string: UInt8 = 5
  static let bytes: UInt8 = 6
  static let instant: UInt8 = 7
  static let list: UInt8 = 8
  static let map: UInt8 = 9
  /// A text that is a lowercase UUID, as 16 bytes.
  static let uuid: UInt8 = 10
}

extension Value {
  /// Lists and maps may be nested so deep.
  public static let maximumDepth = 32

  /// The one byte form of the value; equal values have equal bytes.
  public var canonicalBytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(self)
    return writer.bytes
  }

  /// How deep lists and maps are nested; 0 for anything else.
  package var depth: Int {
    switch self {
    case .list(let values): 1 + (values.map(\.depth).max() ?? 0)
    case .map(let map): 1 + (map.members.map(\.value.depth).max() ?? 0)
    default: 0
    }
  }

  /// Refuses a value that could be written and never be read again.
  package func checkDepth(of register: FieldName) throws {
    guard depth <= Self.maximumDepth else {
      throw SyncError(
        .inputInvalid,
        "The value of '\(register.field)' is nested deeper than \(Self.maximumDepth) levels.",
        hint: "A group of fields counts as a level.")
    }
  }
}

extension ByteWriter {
  /// Appends a value.
  public mutating func write(_ value: Value) {
    switch value {
    case .null: write(byte: Tag.null)
    case .bool(let value): write(byte: value ? Tag.true : Tag.false)
    case .int(let value):
      write(byte: Tag.int)
      write(signed: value)
    case .double(let value):
      write(byte: Tag.double)
      write(fixed: value.canonicalBits)
    case .string(let value): write(compact: value)
    case .bytes(let value):
      write(byte: Tag.bytes)
      write(block: value)
    case .instant(let value):
      write(byte: Tag.instant)
      write(signed: value)
    case .list(let values):
      write(byte: Tag.list)
      write(count: values.count)
      for value in values { write(value) }
    case .map(let map):
      write(byte: Tag.map)
      write(count: map.members.count)
      for member in map.members {
        write(text: member.name.text)
        write(member.value)
      }
    }
  }

  /// Appends a text with its tag; a lowercase UUID takes 17 bytes instead of 38.
  package mutating func write(compact text: String) {
    if let uuid = UUIDText.bytes(of: text) {
      write(byte: Tag.uuid)
      write(raw: uuid)
    } else {
      write(byte: Tag.string)
      write(text: text)
    }
  }
}

extension ByteReader {
  /// Reads a value.
  public mutating func value(depth: Int = 0) throws -> Value {
    guard depth <= Value.maximumDepth else { throw Self.damaged("a value is nested too deep") }
    switch try byte() {
    case Tag.null: return .null
    case Tag.false: return .bool(false)
    case Tag.true: return .bool(true)
    case Tag.int: return .int(try signed())
    case Tag.double: return .double(Double(bitPattern: try fixed()))
    case Tag.string: return .string(try text())
    case Tag.uuid: return .string(UUIDText.text(of: try slice(16)))
    case Tag.bytes: return .bytes(try block())
    case Tag.instant: return .instant(try signed())
    case Tag.list:
      let length = try count()
      var values: [Value] = []
      // Nested lists may each promise all that is left; only what is really there takes space.
      values.reserveCapacity(min(length, 256))
      for _ in 0..<length { values.append(try value(depth: depth + 1)) }
      return .list(values)
    case Tag.map:
      var map = ValueMap()
      var last: FieldName?
      for _ in 0..<(try count(of: 2)) {
        let name = FieldName(try text())
        if let last, !(last < name) { throw Self.damaged("a map is not in order") }
        last = name
        map[name] = try value(depth: depth + 1)
      }
      return .map(map)
    case let tag: throw Self.damaged("the value type \(tag) is unknown")
    }
  }

  /// Reads a text that ``ByteWriter`` wrote compactly.
  package mutating func compactText(limit: Int) throws -> String {
    switch try byte() {
    case Tag.string: return try text(limit: limit)
    case Tag.uuid: return UUIDText.text(of: try slice(16))
    default: throw Self.damaged("a text is missing")
    }
  }
}

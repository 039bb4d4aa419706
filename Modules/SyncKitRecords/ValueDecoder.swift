import SyncKit

/// Reads what ``ValueEncoder`` writes.
struct ValueDecoder: Decoder {
  let value: Value
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func decode<T: Decodable>(_ type: T.Type, from value: Value) throws -> T {
    try T(from: ValueDecoder(value: value, codingPath: []))
  }

  fileprivate static func decode<T: Decodable>(
    _ type: T.Type, from value: Value, _ path: [any CodingKey]
  ) throws -> T {
    let mismatch = DecodingError.typeMismatch(
      type, .init(codingPath: path, debugDescription: "\(value) is no \(type)"))
    if let type = type as? any FieldValue.Type {
      guard let found = type.init(fieldValue: value) as? T else { throw mismatch }
      return found
    }
    if let type = type as? any FixedWidthInteger.Type {
      guard let number = value.int, let found = integer(number, type) as? T else { throw mismatch }
      return found
    }
    if type == Float.self {
      guard let number = Double(fieldValue: value), let found = Float(number) as? T else {
        throw mismatch
      }
      return found
    }
    return try T(from: ValueDecoder(value: value, codingPath: path))
  }

  private static func integer<T: FixedWidthInteger>(_ number: Int64, _ type: T.Type) -> T? {
    T(exactly: number)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .map(let map) = value else { throw mismatch("a map") }
    return KeyedDecodingContainer(Keyed(map: map, codingPath: codingPath))
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let values) = value else { throw mismatch("a list") }
    return Unkeyed(values: values, codingPath: codingPath)
  }
  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    Single(value: value, codingPath: codingPath)
  }

  private func mismatch(_ expected: String) -> DecodingError {
    .typeMismatch(
      Value.self, .init(codingPath: codingPath, debugDescription: "\(value) is not \(expected)"))
  }

  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let map: ValueMap
    let codingPath: [any CodingKey]
    var allKeys: [Key] { map.members.compactMap { Key(stringValue: $0.name.text) } }

    func contains(_ key: Key) -> Bool { map[FieldName(key.stringValue)] != nil }
    func decodeNil(forKey key: Key) throws -> Bool {
      map[FieldName(key.stringValue)]?.isNull ?? true
    }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      try ValueDecoder.decode(type, from: value(key), codingPath + [key])
    }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
      try superDecoder(forKey: key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try superDecoder(forKey: key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder {
      ValueDecoder(
        value: map[FieldName(PositionKey.parent.stringValue)] ?? .null,
        codingPath: codingPath + [PositionKey.parent])
    }
    func superDecoder(forKey key: Key) throws -> any Decoder {
      ValueDecoder(value: try value(key), codingPath: codingPath + [key])
    }
    private func value(_ key: Key) throws -> Value {
      guard let value = map[FieldName(key.stringValue)] else {
        throw DecodingError.keyNotFound(
          key, .init(codingPath: codingPath, debugDescription: "there is no '\(key.stringValue)'"))
      }
      return value
    }
  }

  private struct Unkeyed: UnkeyedDecodingContainer {
    let values: [Value]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0
    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex == values.count }

    init(values: [Value], codingPath: [any CodingKey]) {
      (self.values, self.codingPath) = (values, codingPath)
    }

    mutating func decodeNil() throws -> Bool {
      guard currentIndex < values.count, values[currentIndex].isNull else { return false }
      currentIndex += 1
      return true
    }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
      let path = codingPath + [PositionKey(currentIndex)]
      let found = try ValueDecoder.decode(type, from: value(type), path)
      currentIndex += 1
      return found
    }
    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
      try superDecoder().container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try superDecoder().unkeyedContainer()
    }
    mutating func superDecoder() throws -> any Decoder {
      let decoder = ValueDecoder(
        value: try value(Value.self), codingPath: codingPath + [PositionKey(currentIndex)])
      currentIndex += 1
      return decoder
    }
    private func value(_ type: Any.Type) throws -> Value {
      guard currentIndex < values.count else {
        throw DecodingError.valueNotFound(
          type, .init(codingPath: codingPath, debugDescription: "the list has ended"))
      }
      return values[currentIndex]
    }
  }

  private struct Single: SingleValueDecodingContainer {
    let value: Value
    let codingPath: [any CodingKey]

    func decodeNil() -> Bool { value.isNull }
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
      try ValueDecoder.decode(type, from: value, codingPath)
    }
  }
}

import SyncKit

/// Turns what is `Encodable` into a value: a map by coding keys, a list, or a single value.
///
/// A type that says itself how it is stored (``FieldValue``), such as a date, is stored so.
struct ValueEncoder: Encoder {
  /// A value that is still being made; containers of one encoder share it.
  final class Node {
    enum Content {
      case single(Value)
      case list([Node])
      case map([String: Node])
    }
    var content: Content?

    var value: Value {
      switch content {
      case .single(let value): value
      case .list(let nodes): .list(nodes.map(\.value))
      case .map(let nodes): .map(ValueMap(nodes.map { (FieldName($0.key), $0.value.value) }))
      // Nothing was encoded, not even nothing.
      case nil: .map(ValueMap())
      }
    }

    func child(_ key: any CodingKey) -> Node {
      guard case .map(var nodes) = content ?? .map([:]) else { return Node() }
      let node = Node()
      nodes[key.stringValue] = node
      content = .map(nodes)
      return node
    }

    func element() -> Node {
      guard case .list(var nodes) = content ?? .list([]) else { return Node() }
      let node = Node()
      nodes.append(node)
      content = .list(nodes)
      return node
    }

    var count: Int { if case .list(let nodes) = content { nodes.count } else { 0 } }
  }

  let node: Node
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func encode(_ value: some Encodable) throws -> Value {
    let encoder = ValueEncoder(node: Node(), codingPath: [])
    try value.encode(to: encoder)
    return encoder.node.value
  }

  /// Encodes into a node.
  fileprivate static func encode(
    _ value: some Encodable, into node: Node, _ path: [any CodingKey]
  ) throws {
    if let value = value as? any FieldValue {
      node.content = .single(value.fieldValue)
    } else if let value = value as? any BinaryInteger {
      guard let number = Int64(exactly: value) else {
        throw EncodingError.invalidValue(
          value, .init(codingPath: path, debugDescription: "\(value) is no integer of 64 bits"))
      }
      node.content = .single(.int(number))
    } else if let value = value as? Float {
      node.content = .single(.double(Double(value)))
    } else {
      try value.encode(to: ValueEncoder(node: node, codingPath: path))
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if node.content == nil { node.content = .map([:]) }
    return KeyedEncodingContainer(Keyed(node: node, codingPath: codingPath))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if node.content == nil { node.content = .list([]) }
    return Unkeyed(node: node, codingPath: codingPath)
  }
  func singleValueContainer() -> any SingleValueEncodingContainer {
    Single(node: node, codingPath: codingPath)
  }

  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: Node
    let codingPath: [any CodingKey]

    // What is nil is unset and has no member.
    func encodeNil(forKey key: Key) throws {}
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
      try ValueEncoder.encode(value, into: node.child(key), codingPath + [key])
    }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      encoder(key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      encoder(key).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { encoder(PositionKey.parent) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
    private func encoder(_ key: any CodingKey) -> ValueEncoder {
      ValueEncoder(node: node.child(key), codingPath: codingPath + [key])
    }
  }

  private struct Unkeyed: UnkeyedEncodingContainer {
    let node: Node
    let codingPath: [any CodingKey]
    var count: Int { node.count }

    func encodeNil() throws { node.element().content = .single(.null) }
    func encode<T: Encodable>(_ value: T) throws {
      let path = codingPath + [PositionKey(count)]
      try ValueEncoder.encode(value, into: node.element(), path)
    }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
      encoder().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder() }
    private func encoder() -> ValueEncoder {
      let path = codingPath + [PositionKey(count)]
      return ValueEncoder(node: node.element(), codingPath: path)
    }
  }

  private struct Single: SingleValueEncodingContainer {
    let node: Node
    let codingPath: [any CodingKey]

    func encodeNil() throws { node.content = .single(.null) }
    func encode<T: Encodable>(_ value: T) throws {
      try ValueEncoder.encode(value, into: node, codingPath)
    }
  }
}

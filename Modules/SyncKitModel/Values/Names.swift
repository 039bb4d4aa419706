/// The name of a collection, such as `book`.
public struct CollectionName: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  package let name: Name

  /// Wraps a text without changing it.
  public init(_ text: String) { name = Name(text) }
  public init(stringLiteral value: String) { name = Name(value) }
  package init(_ name: Name) { self.name = name }

  /// The text as it was given.
  public var text: String { name.text }

  public static func < (left: Self, right: Self) -> Bool { left.name < right.name }
}

/// The name of a field, of a member of a group, or of a key in a map, such as `title`; also of a register, which holds
/// one element of a set where the field is a set.
public struct FieldName: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  package let name: Name

  /// Wraps a text without changing it.
  public init(_ text: String) { name = Name(text) }
  public init(stringLiteral value: String) { name = Name(value) }
  package init(_ name: Name) { self.name = name }

  /// The text as it was given.
  public var text: String { name.text }

  public static func < (left: Self, right: Self) -> Bool { left.name < right.name }
}

/// Names a record among those of its collection in its tree.
public struct RecordID: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  package let name: Name

  /// Wraps a text without changing it.
  public init(_ text: String) { name = Name(text) }
  public init(stringLiteral value: String) { name = Name(value) }
  package init(_ name: Name) { self.name = name }

  /// The text as it was given.
  public var text: String { name.text }

  public static func < (left: Self, right: Self) -> Bool { left.name < right.name }
}

extension CollectionName: CustomStringConvertible {
  public var description: String { text }
}

extension FieldName: CustomStringConvertible {
  public var description: String { text }
}

extension RecordID: CustomStringConvertible {
  public var description: String { text }
}

/// A text that is compared, ordered and hashed by its UTF-8 bytes; what the types of names hold.
///
/// `String` compares by canonical equivalence, so two names that differ only in Unicode normalisation would collapse
/// into one. Names come from other devices and must never do that.
package struct Name: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: Name, right: Name) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }
  package static func < (left: Name, right: Name) -> Bool {
    left.text.bytesPrecede(right.text)
  }
  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension String {
  /// The text of valid UTF-8, nil for other bytes; sooner than `init(validating:as:)`, which is generic.
  package init?(exactly bytes: UnsafeRawBufferPointer) {
    self.init(decoding: bytes.assumingMemoryBound(to: UInt8.self), as: UTF8.self)
    // What is not valid was replaced by something else.
    let isSame = utf8.withContiguousStorageIfAvailable {
      $0.count == bytes.count && ByteOrder.firstDifference(.init($0), bytes) == nil
    }
    guard isSame ?? utf8.elementsEqual(bytes) else { return nil }
  }

  /// Whether both texts are the same UTF-8 bytes, whatever Unicode says about their equivalence.
  package func hasSameBytes(as other: String) -> Bool {
    // Most names differ here already, and a short text has to be taken out of its place to be read.
    guard utf8.count == other.utf8.count else { return false }
    let same = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        ByteOrder.firstDifference(.init(left), .init(right)) == nil
      }
    }
    if let same = same ?? nil { return same }
    return utf8.elementsEqual(other.utf8)
  }

  /// Whether the UTF-8 bytes come before those of another text.
  func bytesPrecede(_ other: String) -> Bool {
    let precedes = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        ByteOrder.precedes(.init(left), .init(right))
      }
    }
    if let precedes = precedes ?? nil { return precedes }
    return utf8.lexicographicallyPrecedes(other.utf8)
  }

  func hashBytes(into hasher: inout Hasher) {
    let done: Void? = utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if done == nil { for byte in utf8 { hasher.combine(byte) } }
    hasher.combine(0xFF as UInt8)
  }
}

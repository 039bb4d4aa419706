/// A piece of text that is compared, ordered and hashed by its UTF-8 bytes.
///
/// `String` compares by canonical equivalence, so two names that differ only in Unicode
/// normalisation would collapse into one. Names of zones, collections, fields and record ids come
/// from other devices and must never do that.
public struct Name: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  /// The text as it was given.
  public let text: String

  /// Wraps a text without changing it.
  public init(_ text: String) { self.text = text }
  public init(stringLiteral value: String) { text = value }

  public static func == (left: Name, right: Name) -> Bool { left.text.hasSameBytes(as: right.text) }
  public static func < (left: Name, right: Name) -> Bool {
    left.text.bytesPrecede(right.text)
  }
  public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension Name: CustomStringConvertible {
  public var description: String { text }
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

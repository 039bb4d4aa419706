/// Bytes that take the place of others.
public struct TextEdit: Sendable {
  /// The bytes that go; empty for an insertion.
  public var range: Range<Int>
  /// The bytes that come.
  public var text: [UInt8]

  /// Makes an edit.
  public init(_ range: Range<Int>, _ text: some Sequence<UInt8>) {
    self.range = range
    self.text = Array(text)
  }

  /// Makes an insertion.
  public init(at offset: Int, _ text: String) { self.init(offset..<offset, text.utf8) }

  /// The bytes after edits that do not overlap; insertions at one place stay in their order.
  public static func apply(_ edits: [TextEdit], to bytes: [UInt8]) -> [UInt8] {
    let ordered = edits.enumerated().sorted {
      ($0.element.range.lowerBound, $0.element.range.upperBound, $0.offset)
        < ($1.element.range.lowerBound, $1.element.range.upperBound, $1.offset)
    }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var position = 0
    for (_, edit) in ordered {
      result += bytes[position..<max(position, edit.range.lowerBound)]
      result += edit.text
      position = max(position, edit.range.upperBound)
    }
    return result + bytes[position...]
  }
}

/// Why a value cannot be written where it belongs, as a clause.
public struct DocumentRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// The reason.
  public var description: String

  /// Makes a refusal.
  public init(_ description: String) { self.description = description }
}

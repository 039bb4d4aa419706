import SyncKit
import SyncKitText

/// Writes JSON piece by piece, as `serialized(pretty: true)` would write all of it.
final class JSONOutput {
  /// How many bytes are written at once.
  static let size = 256 << 10

  private let sink: (UnsafeBufferPointer<UInt8>) throws -> Void
  private var buffer: [UInt8] = []
  /// Whether something stands before the next element, in each of the open arrays and objects.
  private var isBegun: [Bool] = []
  private var stampWriter = ContentStamp.Writer()

  /// Writes to a function that takes bytes in pieces.
  init(sink: @escaping (UnsafeBufferPointer<UInt8>) throws -> Void) {
    self.sink = sink
    buffer.reserveCapacity(Self.size + 4096)
  }

  /// How many bytes have come so far.
  var count: Int { stampWriter.count + buffer.count }

  /// Hands out what is left.
  ///
  /// - Returns: The stamp of all bytes.
  func finish() throws -> ContentStamp {
    try flush()
    return stampWriter.stamp
  }

  private func flush() throws {
    try buffer.withUnsafeBufferPointer {
      stampWriter.add($0)
      try sink($0)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  // MARK: Structure

  func begin(_ bracket: Unicode.Scalar) {
    append(bracket)
    isBegun.append(false)
  }

  func end(_ bracket: Unicode.Scalar) throws {
    if isBegun.popLast() == true { breakLine() }
    append(bracket)
    if buffer.count >= Self.size { try flush() }
  }

  /// Begins a member of the innermost object; its value comes next.
  func key(_ text: String) {
    element()
    string(text)
    buffer.append(UInt8(ascii: ":"))
    buffer.append(0x20)
  }

  /// Begins an element of the innermost array; its value comes next.
  func element() {
    if let index = isBegun.indices.last {
      if isBegun[index] { buffer.append(UInt8(ascii: ",")) }
      isBegun[index] = true
    }
    breakLine()
  }

  /// Ends a line.
  func breakLine() {
    buffer.append(0x0A)
    buffer.append(contentsOf: repeatElement(0x20, count: 2 * isBegun.count))
  }

  // MARK: Values

  func write(_ value: JSON) throws {
    switch value {
    case .string(let text): string(text)
    case .array(let elements):
      begin("[")
      for value in elements {
        element()
        try write(value)
      }
      try end("]")
    case .object(let object):
      begin("{")
      for member in object.members {
        key(member.key)
        try write(member.value)
      }
      try end("}")
    default: buffer.append(contentsOf: value.serialized())
    }
    if buffer.count >= Self.size { try flush() }
  }

  /// Writes a text of digits that come in pieces.
  func write(joining pieces: some Sequence<String>) throws {
    buffer.append(UInt8(ascii: "\""))
    for piece in pieces {
      buffer.append(contentsOf: piece.utf8)
      if buffer.count >= Self.size { try flush() }
    }
    buffer.append(UInt8(ascii: "\""))
  }

  private func string(_ text: String) {
    let isPlain = text.utf8.allSatisfy {
      $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    guard isPlain else { return buffer.append(contentsOf: JSON.string(text).serialized()) }
    buffer.append(UInt8(ascii: "\""))
    buffer.append(contentsOf: text.utf8)
    buffer.append(UInt8(ascii: "\""))
  }

  private func append(_ bracket: Unicode.Scalar) {
    buffer.append(UInt8(truncatingIfNeeded: bracket.value))
  }
}

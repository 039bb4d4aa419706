import CSyncKitZlib

/// A section of the table, inflated; if it is text, with its lines found.
struct ReferenceSection: Sendable {
  let bytes: [UInt8]
  /// Where each line ends, its line feed not counted; empty for a section of numbers.
  let lineEnds: [Int]

  /// Inflates a zlib stream that must give exactly `size` bytes, or returns nil.
  init?(inflating deflated: UnsafeRawBufferPointer, size: Int, isText: Bool) {
    guard let start = deflated.baseAddress else { return nil }
    var status = Z_DATA_ERROR
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      guard let target = buffer.baseAddress else { return }
      var length = uLongf(size)
      status = uncompress(
        target, &length, start.assumingMemoryBound(to: Bytef.self), uLong(deflated.count))
      count = status == Z_OK ? Int(length) : 0
    }
    guard status == Z_OK, bytes.count == size else { return nil }
    let lineEnds = isText ? bytes.indices.filter { bytes[$0] == 0x0A } : []
    if isText, size > 0, lineEnds.last != size - 1 { return nil }
    (self.bytes, self.lineEnds) = (bytes, lineEnds)
  }

  /// The bytes of a line without its line feed.
  func line(_ number: Int) -> Range<Int>? {
    guard lineEnds.indices.contains(number) else { return nil }
    return (number == 0 ? 0 : lineEnds[number - 1] + 1)..<lineEnds[number]
  }

  /// The fields of a line, which tabs separate.
  func fields(_ number: Int) -> [Range<Int>]? {
    guard var rest = line(number) else { return nil }
    var fields: [Range<Int>] = []
    while let tab = bytes[rest].firstIndex(of: 0x09) {
      fields.append(rest.lowerBound..<tab)
      rest = tab + 1..<rest.upperBound
    }
    fields.append(rest)
    return fields
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

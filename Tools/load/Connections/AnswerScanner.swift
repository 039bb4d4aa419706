import NIOCore

/// Finds whole answers in the bytes of a connection, with as little work as possible: the machine that
/// asks also answers.
struct AnswerScanner {
  /// One answer.
  struct Answer: Sendable {
    var status: Int
    var body: [UInt8]
  }

  private var buffer = ByteBuffer()

  mutating func add(_ bytes: ByteBuffer) { buffer.writeImmutableBuffer(bytes) }

  /// Takes the next answer, with its body on request; nil while it is incomplete.
  mutating func next(withBody: Bool = false) -> Answer? {
    let found = buffer.withUnsafeReadableBytes { bytes -> (status: Int, head: Int, body: Int)? in
      guard let head = Self.end(of: bytes), bytes.count > 12 else { return nil }
      let status = bytes[9..<12].reduce(0) { $0 * 10 + Int($1 &- 0x30) }
      return (status, head, Self.length(in: bytes[..<head]))
    }
    guard let found, buffer.readableBytes >= found.head + found.body else { return nil }
    buffer.moveReaderIndex(forwardBy: found.head)
    var body: [UInt8] = []
    if withBody {
      body = buffer.readBytes(length: found.body) ?? []
    } else {
      buffer.moveReaderIndex(forwardBy: found.body)
    }
    if buffer.readableBytes == 0 { buffer.clear() } else { buffer.discardReadBytes() }
    return Answer(status: found.status, body: body)
  }

  /// The end of the head, after its empty line.
  private static func end(of bytes: UnsafeRawBufferPointer) -> Int? {
    var index = 3
    while index < bytes.count {
      if bytes[index] == 10, bytes[index - 1] == 13, bytes[index - 2] == 10 { return index + 1 }
      index += 1
    }
    return nil
  }

  private static let key = Array("content-length:".utf8)

  private static func length(in head: Slice<UnsafeRawBufferPointer>) -> Int {
    var index = head.startIndex
    while index < head.endIndex {
      let isIt =
        index + key.count < head.endIndex
        && key.indices.allSatisfy { head[index + $0] | 0x20 == key[$0] | 0x20 }
      if isIt {
        return head[(index + key.count)...].drop { $0 == 0x20 }.prefix { $0 != 13 }.reduce(0) {
          $0 * 10 + Int($1 &- 0x30)
        }
      }
      while index < head.endIndex, head[index] != 10 { index += 1 }
      index += 1
    }
    return 0
  }
}

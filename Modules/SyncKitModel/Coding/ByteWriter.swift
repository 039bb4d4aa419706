/// Appends the primitives that all of cloudsync's binary formats are made of.
///
/// Integers are unsigned LEB128 unless a method says otherwise; texts are a length in bytes and UTF-8.
public struct ByteWriter: Sendable {
  /// What has been written.
  @inlinable public var bytes: [UInt8] { buffer }
  @usableFromInline var buffer: [UInt8] = []

  /// Makes an empty writer.
  @inlinable public init(reserving count: Int = 0) { buffer.reserveCapacity(count) }

  /// Appends one byte.
  @inlinable public mutating func write(byte: UInt8) { buffer.append(byte) }

  /// Appends bytes as they are.
  @inlinable public mutating func write(raw: some Sequence<UInt8>) {
    buffer.append(contentsOf: raw)
  }

  /// Appends seven bits a byte, least significant first.
  @inlinable public mutating func write(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      buffer.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    buffer.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a count.
  @inlinable public mutating func write(count: Int) { write(varint: UInt64(count)) }

  /// Appends a signed integer, zigzag-coded.
  @inlinable public mutating func write(signed value: Int64) {
    write(varint: UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  /// Appends eight bytes, most significant first.
  @inlinable public mutating func write(fixed value: UInt64) {
    withUnsafeBytes(of: value.bigEndian) { buffer.append(contentsOf: $0) }
  }

  /// Appends a length and bytes.
  @inlinable public mutating func write(block: [UInt8]) {
    write(count: block.count)
    buffer.append(contentsOf: block)
  }

  /// Appends a length and UTF-8.
  @inlinable public mutating func write(text: String) {
    var text = text
    text.withUTF8 {
      write(count: $0.count)
      buffer.append(contentsOf: $0)
    }
  }

  @inlinable package mutating func write(_ replica: ReplicaID) {
    write(fixed: replica.high)
    write(fixed: replica.low)
  }

  /// Appends the 16 bytes of a hash.
  @inlinable public mutating func write(_ hash: ContentHash) {
    write(fixed: hash.high)
    write(fixed: hash.low)
  }

  /// Appends a vector: a count, then replica, number and hash of each series in the order of ids.
  @inlinable public mutating func write(_ vector: VersionVector) {
    write(count: vector.heads.count)
    for (replica, head) in vector.sorted {
      write(replica)
      write(varint: head.seq)
      write(head.hash)
    }
  }
}

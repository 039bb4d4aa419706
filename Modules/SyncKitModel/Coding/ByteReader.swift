/// Reads what ``ByteWriter`` writes, from bytes that may be anything.
///
/// Every read checks the bounds first and throws `format.damaged`; nothing traps, and no count is
/// believed beyond the bytes that are there.
public struct ByteReader {
  @usableFromInline let base: UnsafeRawBufferPointer
  @usableFromInline var position = 0

  /// Reads from a buffer that outlives the reader.
  @inlinable public init(_ buffer: UnsafeRawBufferPointer) { base = buffer }

  /// The position of the next byte.
  public var offset: Int { position }

  /// How many bytes are left.
  @inlinable public var remaining: Int { base.count - position }
  /// Whether all has been read.
  @inlinable public var isAtEnd: Bool { position == base.count }

  /// The error for bytes that break the format.
  public static func damaged(_ what: String) -> SyncError {
    SyncError(.formatDamaged, "The data are damaged: \(what).")
  }

  /// Reads one byte.
  @inlinable public mutating func byte() throws -> UInt8 {
    guard position < base.count else { throw Self.damaged("they end too early") }
    defer { position += 1 }
    return base[position]
  }

  /// Reads an unsigned LEB128 of at most 64 bits in its shortest form.
  @inlinable public mutating func varint() throws -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = try byte()
      let part = UInt64(next & 0x7F)
      if shift == 63, part > 1 { throw Self.damaged("a number is too large") }
      value |= part << shift
      if next & 0x80 == 0 {
        if next == 0, shift > 0 { throw Self.damaged("a number is not in its shortest form") }
        return value
      }
      shift += 7
      if shift > 63 { throw Self.damaged("a number is too large") }
    }
  }

  /// Reads a count of things that take at least `size` bytes each.
  @inlinable public mutating func count(of size: Int = 1) throws -> Int {
    let value = try varint()
    guard value <= UInt64(remaining / max(size, 1)) else {
      throw Self.damaged("a count is larger than the data")
    }
    return Int(value)
  }

  /// Reads a number that indexes a table of `limit` entries.
  @inlinable package mutating func index(below limit: Int) throws -> Int {
    let value = try varint()
    guard value < UInt64(limit) else { throw Self.damaged("an index is out of range") }
    return Int(value)
  }

  /// Reads a zigzag-coded signed integer.
  @inlinable public mutating func signed() throws -> Int64 {
    let value = try varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// Reads eight bytes, most significant first.
  @inlinable public mutating func fixed() throws -> UInt64 {
    guard remaining >= 8 else { throw Self.damaged("they end too early") }
    defer { position += 8 }
    return UInt64(bigEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  /// Takes the next `count` bytes without copying.
  @inlinable public mutating func slice(_ count: Int) throws -> UnsafeRawBufferPointer {
    guard count >= 0, count <= remaining else { throw Self.damaged("they end too early") }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: base[position..<position + count])
  }

  /// Reads a length and as many bytes.
  @inlinable public mutating func block() throws -> [UInt8] { Array(try slice(count())) }

  /// Reads a length and as many bytes of valid UTF-8.
  public mutating func text(limit: Int = .max) throws -> String {
    let bytes = try slice(count())
    guard bytes.count <= limit else { throw Self.damaged("a name is too long") }
    guard let text = String(exactly: bytes) else {
      throw Self.damaged("a text is not valid UTF-8")
    }
    return text
  }

  @inlinable package mutating func replica() throws -> ReplicaID {
    ReplicaID(high: try fixed(), low: try fixed())
  }

  /// Reads a hash.
  @inlinable public mutating func hash() throws -> ContentHash {
    ContentHash(high: try fixed(), low: try fixed())
  }

  /// Reads a vector whose series are in the order of their ids, each once.
  public mutating func vector() throws -> VersionVector {
    let count = try count(of: 33)
    var heads = [ReplicaID: Head](minimumCapacity: count)
    var last: ReplicaID?
    for _ in 0..<count {
      let replica = try replica()
      if let last, !(last < replica) { throw Self.damaged("a vector is not in order") }
      last = replica
      let seq = try varint()
      guard seq <= Dot.maximumNumber else {
        throw Self.damaged("a number of a vector is too large")
      }
      heads[replica] = Head(seq: seq, hash: try hash())
    }
    return VersionVector(heads)
  }
}

extension Array where Element == UInt8 {
  /// Reads all of the array with `body`; left-over bytes are an error unless allowed.
  @inlinable public func reading<T>(
    allowingRest: Bool = false, _ body: (inout ByteReader) throws -> T
  ) throws -> T {
    try withUnsafeBytes { buffer in
      var reader = ByteReader(buffer)
      let result = try body(&reader)
      guard allowingRest || reader.isAtEnd else { throw ByteReader.damaged("bytes are left over") }
      return result
    }
  }
}

/// Reads unsigned numbers from the front of some bytes, the least byte first.
struct LittleEndianFields {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func byte() throws -> UInt8 { UInt8(truncatingIfNeeded: try number(bytes: 1)) }
  mutating func word() throws -> Int { Int(truncatingIfNeeded: try number(bytes: 2)) }
  mutating func long() throws -> UInt32 { UInt32(truncatingIfNeeded: try number(bytes: 4)) }

  /// A number of 64 bits, of which the highest may not be set.
  mutating func count() throws -> Int {
    guard let count = Int(exactly: try number(bytes: 8)) else {
      throw ArchiveError("a size or an offset in it is impossible")
    }
    return count
  }

  mutating func bytes(_ count: Int) throws -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw ArchiveError("it ends too early") }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private mutating func number(bytes count: Int) throws -> UInt64 {
    try bytes(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

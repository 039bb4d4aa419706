/// Bytes that can be read at any offset, such as a file, without holding them all.
///
/// ## What a source promises
///
/// - `count` stays as it is, and the same offset always gives the same bytes.
/// - Several tasks may read at once.
public protocol ByteSource: Sendable {
  /// How many bytes there are.
  var count: Int { get }

  /// Reads exactly `count` bytes from an offset on; both lie within the source.
  ///
  /// - Throws: An error that says why the bytes cannot be read.
  func read(at offset: Int, count: Int) throws -> [UInt8]
}

/// Bytes in memory as a source.
public struct MemoryBytes: ByteSource {
  private let bytes: [UInt8]

  /// Makes a source of bytes.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  public var count: Int { bytes.count }

  public func read(at offset: Int, count: Int) throws -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
      throw ArchiveError("it ends too early")
    }
    return Array(bytes[offset..<offset + count])
  }
}

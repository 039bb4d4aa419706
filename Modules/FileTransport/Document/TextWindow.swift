/// The bytes of a file, of which a part is held at a time.
///
/// What it hands out is good until the next call. Other programs may write the file meanwhile: only as many bytes are
/// read as it had when it was opened, and a file that has become shorter is an error.
final class TextWindow {
  /// There are fewer bytes than there were.
  struct Shortened: Error {}

  /// How many bytes are read at once.
  static let size = 256 << 10

  /// How many bytes the file has.
  let count: Int
  private let size: Int
  private let read: (UnsafeMutableRawBufferPointer, Int) throws -> Int
  private var buffer: UnsafeMutableBufferPointer<UInt8>
  private var start = 0
  private var end = 0

  /// Looks at bytes through a function that reads some of them at an offset, and says how many.
  init(
    count: Int, size: Int = TextWindow.size,
    read: @escaping (UnsafeMutableRawBufferPointer, Int) throws -> Int
  ) {
    self.count = count
    self.size = max(size, 1)
    self.read = read
    buffer = .allocate(capacity: min(self.size, max(count, 1)))
  }

  deinit { buffer.deallocate() }

  /// The most bytes that were held at a time.
  var largest: Int { buffer.count }

  /// The bytes from an offset on, as many as are held; none only at the end.
  func bytes(from offset: Int) throws -> UnsafeBufferPointer<UInt8> {
    guard offset < count else { return UnsafeBufferPointer(start: nil, count: 0) }
    if offset < start || offset >= end { try load(from: offset, atLeast: 1) }
    return UnsafeBufferPointer(rebasing: buffer[offset - start..<end - start])
  }

  /// All bytes of a range; the window grows if it is longer.
  func bytes(_ range: Range<Int>) throws -> UnsafeBufferPointer<UInt8> {
    guard range.upperBound <= count else { throw Shortened() }
    if range.lowerBound < start || range.upperBound > end {
      try load(from: range.lowerBound, atLeast: range.count)
    }
    return UnsafeBufferPointer(
      rebasing: buffer[range.lowerBound - start..<range.upperBound - start])
  }

  /// The byte at an offset; 0 at the end.
  func byte(at offset: Int) throws -> UInt8 {
    if offset >= start, offset < end { return buffer[offset - start] }
    return try bytes(from: offset).first ?? 0
  }

  private func load(from offset: Int, atLeast needed: Int) throws {
    if needed > buffer.count {
      buffer.deallocate()
      buffer = .allocate(capacity: needed)
    }
    start = offset
    end = offset
    let wanted = min(max(min(size, buffer.count), needed), count - offset)
    while end - start < wanted {
      let rest = UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(buffer)[end - start..<wanted])
      let step = try read(rest, end)
      guard step > 0 else { throw Shortened() }
      end += step
    }
  }
}

/// What tells whether bytes are as they were read: their number, and a hash of them.
///
/// The key of the hash is drawn at random by each process and known to no other one, so no file can be made to
/// match; a stamp is good in its process only.
struct ContentStamp: Equatable {
  private(set) var count = 0
  private let hash: Int

  /// Takes the stamp of what a window shows.
  init(_ window: TextWindow) throws {
    var writer = Writer()
    while writer.count < window.count { writer.add(try window.bytes(from: writer.count)) }
    self = writer.stamp
  }

  private init(count: Int, hash: Int) {
    self.count = count
    self.hash = hash
  }

  /// Takes the stamp of bytes that come in pieces, whatever their lengths.
  struct Writer {
    private(set) var count = 0
    private var hasher = Hasher()

    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
      count += bytes.count
      hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    }

    var stamp: ContentStamp {
      let hasher = hasher
      return ContentStamp(count: count, hash: hasher.finalize())
    }
  }
}

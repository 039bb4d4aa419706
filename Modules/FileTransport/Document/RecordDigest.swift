import SyncKit

/// What a record was when it was written, in 13 digits; it finds edits and is no protection against forgery.
struct RecordDigest: Hashable, Comparable {
  /// How many digits there are.
  static let count = 13

  /// The digits as a number, the first one most significant; missing ones are zeros.
  private let high: UInt64
  private let low: UInt64

  /// The beginning of a hash.
  init(_ hash: ContentHash) { self.init(hash.description.utf8.prefix(Self.count)) }

  private init(_ digits: some Sequence<UInt8>) {
    var bytes = Array(digits)
    bytes += repeatElement(0, count: 16 - bytes.count)
    high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The digits.
  var text: String {
    let bytes = [high, low].flatMap { number in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
    }
    return String(decoding: bytes.prefix(Self.count), as: UTF8.self)
  }

  static func < (left: RecordDigest, right: RecordDigest) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }

  /// Reads digests that follow one another without separators, in pieces of any length.
  struct Reader {
    private var digits: [UInt8] = []

    mutating func add(_ piece: UnsafeBufferPointer<UInt8>, _ body: (RecordDigest) -> Void) {
      for digit in piece {
        digits.append(digit)
        if digits.count == RecordDigest.count { finish(body) }
      }
    }

    /// Ends with what is left, which is no whole digest.
    mutating func finish(_ body: (RecordDigest) -> Void) {
      if !digits.isEmpty { body(RecordDigest(digits)) }
      digits.removeAll(keepingCapacity: true)
    }
  }
}

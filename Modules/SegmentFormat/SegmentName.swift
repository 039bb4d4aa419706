import SyncKit

/// Where a segment lies in a blob store: `<domain>/<zone>/<series>/<first>-<last>-<head>-<length>.seg`, or with `_`
/// between zone, series and the rest where every folder costs a request (``BlobArrangement``).
///
/// All of it is lowercase ASCII, so no file system folds or normalises two names into one; the
/// file's own name has at most 74 bytes, with the zone and the series in it at most 166.
struct SegmentName: Hashable {
  private static let ending = ".seg"

  let zone: ZoneID
  let series: ReplicaID
  let first: UInt64
  let last: UInt64
  let head: ContentHash
  /// How long the whole file is, in bytes, so that a listing tells whether it is whole; nil in names that do not say.
  let length: Int?

  /// The name of a segment in a file of that length; nil for one that cannot be named.
  init?(_ info: SegmentInfo, length: Int?) {
    guard SegmentLayout.isFolderName(info.domain), SegmentLayout.isFolderName(info.zone.text),
      (1...Dot.maximumNumber).contains(info.first),
      (info.first...Dot.maximumNumber).contains(info.last)
    else { return nil }
    (zone, series, first, last, head) = (info.zone, info.series, info.first, info.last, info.head)
    self.length = length
  }

  /// Reads the path of a segment below its domain's folder.
  ///
  /// Upper-case letters count as lower-case ones: a file system that folds case may have made them.
  init?(path: some StringProtocol) {
    // Once for every file of a remote, so bytes and no characters.
    let bytes = path.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
    let parts = BlobArrangement.parts(bytes)
    guard parts.count == 3, SegmentLayout.isFolderName(parts[0]), let series = Self.id(parts[1]),
      parts[2].ends(with: Self.ending)
    else { return nil }
    let words = parts[2].dropLast(Self.ending.utf8.count)
      .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard (3...4).contains(words.count), let first = Self.number(words[0]),
      let last = Self.number(words[1]), first <= last, let head = Self.id(words[2])
    else { return nil }
    if words.count == 4 {
      guard words[3].count <= 9, let length = Self.number(words[3]) else { return nil }
      self.length = Int(length)
    } else {
      length = nil
    }
    zone = ZoneID(String(decoding: parts[0], as: UTF8.self))
    self.series = ReplicaID(high: series.high, low: series.low)
    self.first = first
    self.last = last
    self.head = ContentHash(high: head.high, low: head.low)
  }

  /// The path below the domain's folder.
  func path(_ arrangement: BlobArrangement) -> String {
    let end = length.map { "-\($0)" } ?? ""
    return arrangement.path([
      "\(zone)", "\(series)", "\(first)-\(last)-\(head)\(end)\(Self.ending)",
    ])
  }

  func reference(at location: String, size: Int?, isHere: Bool = true) -> SegmentReference {
    SegmentReference(
      zone: zone, series: series, first: first, last: last, head: head, size: size,
      location: location, isHere: isHere)
  }

  /// A decimal number without leading zeros.
  private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
    guard (1...16).contains(digits.count), digits.first != UInt8(ascii: "0") else { return nil }
    var number: UInt64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      number = number * 10 + UInt64(digit - UInt8(ascii: "0"))
    }
    return number
  }

  /// The 128 bits of 26 base32 digits; the last two bits are padding.
  private static func id(_ digits: ArraySlice<UInt8>) -> (high: UInt64, low: UInt64)? {
    guard digits.count == 26 else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    var last: UInt64 = 0
    for (index, digit) in digits.enumerated() {
      switch digit {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): last = UInt64(digit - UInt8(ascii: "a"))
      case UInt8(ascii: "2")...UInt8(ascii: "7"): last = UInt64(digit - UInt8(ascii: "2")) + 26
      default: return nil
      }
      guard index < 25 else { break }
      high = high << 5 | low >> 59
      low = low << 5 | last
    }
    return last & 3 == 0 ? (high << 3 | low >> 61, low << 3 | last >> 2) : nil
  }
}

extension ArraySlice<UInt8> {
  fileprivate func ends(with text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}

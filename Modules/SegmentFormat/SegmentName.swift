import SyncKit

/// Where a segment lies in a blob store: `<domain>/<zone>/<series>/<first>-<last>-<head>.seg`.
///
/// All of it is lowercase ASCII, so no file system folds or normalises two names into one; the
/// file's own name has at most 64 bytes.
struct SegmentName: Hashable {
  /// Numbers have at most sixteen digits, for the sake of the name's length.
  static let maximumNumber: UInt64 = 9_999_999_999_999_999
  private static let ending = ".seg"

  let zone: ZoneID
  let series: ReplicaID
  let first: UInt64
  let last: UInt64
  let head: ContentHash

  /// The name of a segment; nil for one that cannot be named.
  init?(_ info: SegmentInfo) {
    guard SegmentLayout.isFolderName(info.domain), SegmentLayout.isFolderName(info.zone.text),
      (1...Self.maximumNumber).contains(info.first),
      (info.first...Self.maximumNumber).contains(info.last)
    else { return nil }
    (zone, series, first, last, head) = (info.zone, info.series, info.first, info.last, info.head)
  }

  /// Reads the path of a segment below its domain's folder.
  ///
  /// Upper-case letters count as lower-case ones: a file system that folds case may have made them.
  init?(path: some StringProtocol) {
    let parts = path.lowercased().split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, SegmentLayout.isFolderName(String(parts[0])),
      let series = ReplicaID(parts[1]), parts[2].hasSuffix(Self.ending)
    else { return nil }
    let words = parts[2].dropLast(Self.ending.count)
      .split(separator: "-", omittingEmptySubsequences: false)
    guard words.count == 3, let first = Self.number(words[0]), let last = Self.number(words[1]),
      first <= last, let head = ReplicaID(words[2])
    else { return nil }
    self.zone = ZoneID(String(parts[0]))
    self.series = series
    self.first = first
    self.last = last
    // A hash is written like an id: 128 bits in base32.
    self.head = ContentHash(high: head.high, low: head.low)
  }

  /// The path below the domain's folder.
  var path: String { "\(zone)/\(series)/\(first)-\(last)-\(head)\(Self.ending)" }

  func reference(at location: String, size: Int?) -> SegmentReference {
    SegmentReference(
      zone: zone, series: series, first: first, last: last, head: head, size: size,
      location: location)
  }

  private static func number(_ text: Substring) -> UInt64? {
    guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      text.first != "0", let number = UInt64(text), number <= maximumNumber
    else { return nil }
    return number
  }
}

/// The names at the top of a place, and what conflict copies make of them.
enum PlaceName {
  /// The folder of a domain, or what a provider makes of a second one with its name
  /// (`airports 2`, `airports (conflicted copy)`, `AIRPORTS`).
  static func isFolder(_ name: String, of domain: String) -> Bool {
    rest(of: name, after: domain).map(isCopyMark) ?? false
  }

  /// The vault that a marker stands for; nil for a name that is no marker's.
  static func vault(_ name: String) -> String? {
    guard let rest = rest(of: uncovered(name), after: "root-"), rest.utf8.count >= 36 else {
      return nil
    }
    let end = rest.utf8.index(rest.startIndex, offsetBy: 36)
    guard let text = String(rest.utf8[..<end]), isUUID(text), isCopyMark(rest[end...]) else {
      return nil
    }
    return text
  }

  /// The layout that a file says a domain is kept in; nil for any other file.
  static func layout(_ name: String, of domain: String) -> String? {
    guard let rest = rest(of: uncovered(name), after: "layout-\(domain)-") else { return nil }
    let layout = rest.prefix { ("a"..."z").contains($0) }
    return layout.isEmpty || !isCopyMark(rest.dropFirst(layout.count)) ? nil : String(layout)
  }

  /// The name that a provider's placeholder (`.NAME.icloud`) stands for; any other name as it is.
  static func uncovered(_ name: String) -> String {
    isPlaceholder(name) ? String(name.dropFirst().dropLast(".icloud".count)) : name
  }

  /// Whether the last part of a name is that of a file that its provider has yet to download.
  static func isPlaceholder(_ name: String) -> Bool {
    let last = lastPart(name)
    return last.hasPrefix(".") && last.lowercased().hasSuffix(".icloud")
      && last.utf8.count > ".icloud".utf8.count + 1
  }

  static func lastPart(_ name: String) -> Substring {
    name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
  }

  static func isUUID(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte) || byte == UInt8(ascii: "-")
      }
  }

  private static func rest(of name: String, after start: String) -> Substring? {
    let name = name.lowercased()
    guard name.utf8.starts(with: start.utf8) else { return nil }
    return name[name.utf8.index(name.startIndex, offsetBy: start.utf8.count)...]
  }

  /// Whether what follows a name can be a provider's mark, and not the rest of a longer name.
  private static func isCopyMark(_ rest: Substring) -> Bool {
    guard let next = rest.utf8.first else { return true }
    return !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(next)
      && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) && next != UInt8(ascii: "-")
  }
}

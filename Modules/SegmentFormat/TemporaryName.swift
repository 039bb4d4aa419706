import SyncKit

/// The names of unfinished files; no reader takes them for anything.
package enum TemporaryName {
  private static let start = ".tmp-"
  private static let length = 13

  /// The name that sixty-four random bits stand for.
  package static func make(_ chance: UInt64) -> String { start + text(chance) }

  /// Thirteen letters and digits for sixty-four random bits.
  package static func text(_ chance: UInt64) -> String {
    withUnsafeBytes(of: chance) { Base32.encode($0) }
  }

  /// Whether a name is not worth a look, conflict copies of such files included.
  package static func matches(_ name: String) -> Bool { name.hasPrefix(start) }

  /// Whether a name is exactly one that ``make(_:)`` makes, so that the file is ours to remove.
  package static func isOwn(_ name: String) -> Bool {
    matches(name) && name.utf8.count == start.utf8.count + length
      && Base32.decode(name.dropFirst(start.count)) != nil
  }
}

import SyncWire

/// What may be called how.
enum NameRule {
  /// A name that a person gives: 1 to 200 bytes on one line, without what cannot be seen.
  ///
  /// - Throws: ``WireError`` `invalid` that names the key.
  static func person(_ text: String, _ key: String) throws -> String {
    guard PersonName.isGood(text) else {
      throw WireError(.invalid, "'\(key)' must be \(PersonName.rule).")
    }
    return text
  }

  /// A device's own id: 1 to 64 letters, digits, `-` and `_`.
  static func isDevice(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}

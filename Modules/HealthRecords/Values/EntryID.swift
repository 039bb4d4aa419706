import SyncCrypto
import SyncKit

/// Derives the id of an imported entry that has none, the same on every device and at every import.
///
/// It is an HMAC keyed with the subject's random id: without the subject, no one can read from
/// the id what the entry says, or try guesses against it.
struct EntryID {
  private let key: [UInt8]

  init(subject: RecordID) { key = Array(subject.text.utf8) }

  /// The id of an entry, as a UUID of version 8.
  ///
  /// - Parameters:
  ///   - kind: The kind of entry.
  ///   - date: Its date in the normal form, empty for none.
  ///   - name: Its title.
  ///   - ordinal: The number of equal ones before it, so that equal entries stay distinct.
  /// - Returns: The same id for the same entry, always.
  func derived(_ kind: EntryKind, date: String, name: String, ordinal: Int) -> RecordID {
    // No field can contain a NUL, so no two entries give the same text.
    let text = ["entry/1", kind.rawValue, date, name, "\(ordinal)"].joined(separator: "\u{0}")
    var bytes = Array(MessageCode.of(Array(text.utf8), key: key).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = bytes.map { byte in
      let text = String(byte, radix: 16)
      return text.utf8.count == 1 ? "0\(text)" : text
    }.joined()
    var id = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { id.append("-") }
      id.append(digit)
    }
    return RecordID(id)
  }
}

extension String {
  /// Whether both have the same UTF-8, which canonically equivalent strings need not have.
  func hasSameBytes(as other: String) -> Bool {
    // Strings that differ canonically differ in bytes, and that comparison is the fast one.
    self == other && utf8.elementsEqual(other.utf8)
  }
}

/// A string as a dictionary key that is equal only to the same bytes.
struct ExactText: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  func hash(into hasher: inout Hasher) {
    // The string's own hash is the same for all canonical twins, which input could be made of.
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

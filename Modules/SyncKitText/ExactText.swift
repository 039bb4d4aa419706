extension String {
  /// Whether both have the same UTF-8, which canonically equivalent strings need not have.
  func hasSameBytes(as other: String) -> Bool {
    // Strings that differ canonically differ in bytes, and that comparison is the fast one.
    self == other && utf8.elementsEqual(other.utf8)
  }
}

/// A string as a dictionary key that is equal only to the same bytes.
package struct ExactText: Hashable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  package func hash(into hasher: inout Hasher) {
    // The string's own hash is the same for all canonical twins, which input could be made of.
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

import CSyncKitQRencode

/// A text as a square of dark and light fields, to be read by a camera.
package struct QRCode: Equatable {
  /// How many fields a side has.
  package let width: Int
  private let dark: [Bool]

  /// Makes the code of a text; nil when it is too long for one, beyond about 2,900 bytes, and where this system
  /// has no libqrencode.
  package init?(_ text: String) {
    guard !text.utf8.contains(0), let code = cqrencode_code(text) else { return nil }
    defer { cqrencode_free(code) }
    let side = Int(code.pointee.width)
    guard side > 0, let fields = code.pointee.data else { return nil }
    width = side
    // The lowest bit tells dark from light; the others are the library's own.
    dark = (0..<(side * side)).map { fields[$0] & 1 == 1 }
  }

  /// Whether a field is dark; what lies outside is light.
  package subscript(column: Int, row: Int) -> Bool {
    guard 0..<width ~= column, 0..<width ~= row else { return false }
    return dark[row * width + column]
  }

  /// The code in lines of a terminal, two rows of fields each, with the light margin that cameras need.
  ///
  /// Light fields are drawn, so that it can be read on a dark ground; on a light one it is inverted, which
  /// cameras of today read as well.
  package var terminalText: String {
    let margin = 2
    var text = ""
    for row in stride(from: -margin, to: width + margin, by: 2) {
      for column in -margin..<(width + margin) {
        let upper = !self[column, row]
        let lower = row + 1 < width + margin && !self[column, row + 1]
        text += upper && lower ? "█" : upper ? "▀" : lower ? "▄" : " "
      }
      text += "\n"
    }
    return text
  }
}

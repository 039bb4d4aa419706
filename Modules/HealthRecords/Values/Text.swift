extension String {
  /// The text without white space around it.
  var trimmed: String {
    let isBlank = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    let scalars = unicodeScalars
    let head = scalars.drop(while: isBlank)
    guard let last = head.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(head[...last])
  }

  /// The text without control characters, which no note needs and neither XML nor FHIR allows.
  ///
  /// Tabs and line breaks stay.
  var withoutControls: String {
    let isControl = { (scalar: Unicode.Scalar) in
      scalar.value < 0x20 && scalar != "\t" && scalar != "\n" && scalar != "\r"
        || scalar.value == 0x7F || scalar.value == 0xFFFE || scalar.value == 0xFFFF
    }
    guard unicodeScalars.contains(where: isControl) else { return self }
    var kept = String.UnicodeScalarView()
    for scalar in unicodeScalars where !isControl(scalar) { kept.append(scalar) }
    return String(kept)
  }

  /// The text escaped for use between tags or in an attribute in double quotes.
  var escapedForMarkup: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The text for comparing names: lowercase, without white space around it.
  var folded: String { trimmed.lowercased() }
}

extension Double {
  /// The number as people write it: with at most three digits after the point, and no trailing 0.
  public var plainText: String {
    guard isFinite else { return "" }
    guard abs(self) < 1e15 else { return "\(self)" }
    let thousandths = (abs(self) * 1000).rounded()
    let sign = self < 0 && thousandths > 0 ? "-" : ""
    guard let whole = Int64(exactly: thousandths) else { return "\(self)" }
    let (integer, fraction) = whole.quotientAndRemainder(dividingBy: 1000)
    guard fraction > 0 else { return "\(sign)\(integer)" }
    var digits = String(fraction + 1000).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)\(integer).\(digits)"
  }

  /// The number rounded to a thousandth.
  var inThousandths: Double {
    let scaled = (self * 1000).rounded()
    return scaled.isFinite && abs(scaled) < 1e15 ? scaled / 1000 : self
  }

  /// Reads a number as people write it: digits with a point or a comma.
  init?(plain text: some StringProtocol) {
    let bytes = Array(String(text).trimmed.utf8)
    guard !bytes.isEmpty, bytes.count <= 24 else { return nil }
    let isSign = bytes[0] == UInt8(ascii: "-") || bytes[0] == UInt8(ascii: "+")
    let digits = isSign ? bytes.dropFirst() : bytes[...]
    let points = digits.filter { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
    guard points.count <= 1, digits.contains(where: \.isDigit),
      digits.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") })
    else { return nil }
    let normal = bytes.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }
    guard let value = Double(String(decoding: normal, as: UTF8.self)), value.isFinite else {
      return nil
    }
    self = value
  }
}

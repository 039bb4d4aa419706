/// The name of a file that a person has chosen, in a form that is safe as a name of ours.
///
/// It keeps letters and digits of all scripts and the ending, which tells the commands what a file is.
struct FileName {
  let text: String
  /// Longer ones are cut before their ending; file systems take 255 bytes.
  private static let longest = 100
  private static let longestEnding = 16

  /// Takes the name as a browser says it, which may be a path.
  init(_ said: String) {
    let last = said.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last ?? []
    let safe = String.UnicodeScalarView(last.map { Self.isSafe($0) ? $0 : "_" })
    let name = safe.drop { ". -_".unicodeScalars.contains($0) }
    guard name.contains(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil })
    else {
      text = "file"
      return
    }
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    let ending = String(name[dot...])
    guard ending.utf8.count <= Self.longestEnding else {
      text = Self.cut(name[...], to: Self.longest)
      return
    }
    text = Self.cut(name[..<dot], to: Self.longest - ending.utf8.count) + ending
  }

  /// Marks that change the direction of a text, and spaces that look like others, are not.
  private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "._- ()".unicodeScalars.contains(scalar)
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .decimalNumber:
      return true
    default: return false
    }
  }

  private static func cut(
    _ scalars: Substring.UnicodeScalarView.SubSequence, to longest: Int
  ) -> String {
    var text = ""
    var count = 0
    for scalar in scalars {
      count += UTF8.width(scalar)
      guard count <= longest else { break }
      text.unicodeScalars.append(scalar)
    }
    return text
  }
}

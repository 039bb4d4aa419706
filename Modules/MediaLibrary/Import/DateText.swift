import SyncKitFormats

/// Dates in the forms of other services.
enum DateText {
  /// Reads `2026-11-21`, a time of RFC 3339, and IMDb's old `Sat Nov 21 00:00:00 2026`.
  static func day(_ text: String) -> Day? {
    if let day = Day(text) { return day }
    if let moment = Timestamp.parse(text) { return Day(milliseconds: moment) }
    let words = text.split(separator: " ")
    guard words.count == 5, let month = months.firstIndex(of: words[1].lowercased()),
      let number = Int(words[2]), (1...31).contains(number), words[4].utf8.count == 4
    else { return nil }
    return Day("\(words[4])-\(two(month + 1))-\(two(number))")
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
}

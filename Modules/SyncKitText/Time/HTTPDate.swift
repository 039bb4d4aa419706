/// Times as header fields have them: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
package enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The time in milliseconds since 1970; nil for a text that is no such time.
  package static func milliseconds(_ text: some StringProtocol) -> Int64? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT" || words[5] == "UTC",
      let day = Int64(words[1]), let month = months.firstIndex(of: String(words[2])),
      let year = Int64(words[3]),
      let date = CivilDate(year: year, month: Int64(month) + 1, day: day)
    else { return nil }
    let clock = words[4].split(separator: ":").map { Int64($0) }
    guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
      0..<24 ~= hour, 0..<60 ~= minute, 0...60 ~= second
    else { return nil }
    return (((date.daysSince1970 * 24 + hour) * 60 + minute) * 60 + second) * 1_000
  }
}

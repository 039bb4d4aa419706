/// A share of a whole, as `20%` says it.
package struct Percent: Hashable, Sendable, CustomStringConvertible {
  /// Hundredths of a percent, from 0 to 10,000.
  package let hundredths: Int

  /// Reads `20%` or `2.5%`: from 0 to 100, at most two decimals, the sign right behind.
  package init?(_ text: String) {
    guard text.hasSuffix("%") else { return nil }
    let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first, !whole.isEmpty, whole.count <= 3,
      let percent = ConfigText.whole(String(whole))
    else { return nil }
    var decimals = 0
    if parts.count == 2 {
      guard 1...2 ~= parts[1].count, let value = ConfigText.whole(String(parts[1])) else {
        return nil
      }
      decimals = parts[1].count == 1 ? value * 10 : value
    }
    guard 0...10_000 ~= percent * 100 + decimals else { return nil }
    hundredths = percent * 100 + decimals
  }

  /// Takes hundredths of a percent, brought between 0 and 10,000.
  package init(hundredths: Int) { self.hundredths = min(max(hundredths, 0), 10_000) }

  /// The share, from 0 to 1.
  package var fraction: Double { Double(hundredths) / 10_000 }

  package var description: String {
    let whole = hundredths / 100
    let rest = hundredths % 100
    guard rest > 0 else { return "\(whole)%" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)%" : "\(whole).\(rest < 10 ? "0" : "")\(rest)%"
  }
}

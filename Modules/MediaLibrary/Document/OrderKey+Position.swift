extension OrderKey {
  /// The number nearest to the key: equal or greater for a greater key, and the original number for
  /// a key made from a number.
  var position: Double {
    let bytes = Array(text.utf8)
    guard let head = bytes.first, let count = OrderDigits.count(head: head) else { return 0 }
    let isNegative = head < UInt8(ascii: "a")
    var whole = 0.0
    for byte in bytes.dropFirst().prefix(count) {
      let digit = OrderDigits.value(of: byte) ?? 0
      whole = whole * 62 + Double(isNegative ? 61 - digit : digit)
    }
    // Each length continues after all numbers of the shorter lengths.
    var size = 62.0
    for _ in 1..<max(count, 1) {
      whole += size
      size *= 62
    }
    if isNegative { whole = -whole - 1 }
    var fraction = 0.0
    for byte in bytes.dropFirst(count + 1).reversed() {
      fraction = (fraction + Double(OrderDigits.value(of: byte) ?? 0)) / 62
    }
    let limit = 9_007_199_254_740_992.0
    return min(max(whole + fraction, -limit), limit)
  }
}

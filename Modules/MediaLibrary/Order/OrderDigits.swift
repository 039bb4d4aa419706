import SyncCrypto

/// Numbers in 62 digits, whose order is that of their bytes.
enum OrderDigits {
  static let zero = UInt8(ascii: "0")

  static func digit(_ value: Int) -> UInt8 {
    switch value {
    case ..<10: zero &+ UInt8(truncatingIfNeeded: max(value, 0))
    case ..<36: UInt8(ascii: "A") &+ UInt8(truncatingIfNeeded: value - 10)
    default: UInt8(ascii: "a") &+ UInt8(truncatingIfNeeded: min(value, 61) - 36)
    }
  }

  static func value(of digit: UInt8) -> Int? {
    switch digit {
    case zero...UInt8(ascii: "9"): Int(digit - zero)
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit - UInt8(ascii: "A")) + 10
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "a")) + 36
    default: nil
    }
  }

  /// The number of digits after the first byte of a whole number; nil for a byte that begins none.
  static func count(head: UInt8) -> Int? {
    switch head {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(head - UInt8(ascii: "a")) + 1
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(UInt8(ascii: "Z") - head) + 1
    default: nil
    }
  }

  /// A whole number as the successor of all smaller ones.
  static func whole(_ number: Int64) -> [UInt8] {
    // `a` holds 62 numbers from 0, `b` the 62² after them; below zero it is the mirror image.
    var rest = number >= 0 ? number.magnitude : number.magnitude - 1
    var size: UInt64 = 62
    var count = 1
    while rest >= size {
      rest -= size
      let (next, isTooLarge) = size.multipliedReportingOverflow(by: 62)
      count += 1
      if isTooLarge { break }
      size = next
    }
    var digits: [UInt8] = []
    for _ in 0..<count {
      let value = Int(rest % 62)
      digits.append(digit(number >= 0 ? value : 61 - value))
      rest /= 62
    }
    let step = UInt8(truncatingIfNeeded: count - 1)
    let head = number >= 0 ? UInt8(ascii: "a") &+ step : UInt8(ascii: "Z") &- step
    return [head] + digits.reversed()
  }

  /// The whole number after another; nil after the last.
  static func next(_ whole: [UInt8]) -> [UInt8]? { step(whole, from: 61, to: 0, by: 1) }

  /// The whole number before another; nil before the first.
  static func previous(_ whole: [UInt8]) -> [UInt8]? { step(whole, from: 0, to: 61, by: -1) }

  private static func step(
    _ whole: [UInt8], from last: Int, to first: Int, by step: Int
  ) -> [UInt8]? {
    var whole = whole
    for index in whole.indices.dropFirst().reversed() {
      guard let value = value(of: whole[index]) else { return nil }
      if value != last {
        whole[index] = digit(value + step)
        return whole
      }
      whole[index] = digit(first)
    }
    guard let head = whole.first, let other = neighbour(of: head, by: step),
      let count = count(head: other)
    else { return nil }
    return [other] + [UInt8](repeating: digit(first), count: count)
  }

  /// The first byte of whole numbers that follow or precede those with another one.
  private static func neighbour(of head: UInt8, by step: Int) -> UInt8? {
    switch (head, step) {
    case (UInt8(ascii: "z"), 1), (UInt8(ascii: "A"), -1): nil
    case (UInt8(ascii: "Z"), 1): UInt8(ascii: "a")
    case (UInt8(ascii: "a"), -1): UInt8(ascii: "Z")
    default: step > 0 ? head + 1 : head - 1
    }
  }

  /// A fraction between two others that ends in a suffix; `upper` nil means 1.
  static func between(_ lower: [UInt8], _ upper: [UInt8]?, _ suffix: [UInt8]) -> [UInt8] {
    var middle = middle(lower[...], upper.map { $0[...] })
    // With the suffix it would follow `upper` if that continues where the middle ends.
    while let upper, !(middle + suffix).lexicographicallyPrecedes(upper) {
      middle = self.middle(middle[...], upper[...])
    }
    return middle + suffix
  }

  /// The shortest fraction strictly between two others, of which the first is smaller.
  private static func middle(_ lower: ArraySlice<UInt8>, _ upper: ArraySlice<UInt8>?) -> [UInt8] {
    var (lower, upper) = (lower, upper)
    var result: [UInt8] = []
    while true {
      let low = lower.first.flatMap { value(of: $0) } ?? 0
      let high = upper.map { $0.first.flatMap { value(of: $0) } ?? 0 } ?? 62
      if high - low > 1 { return result + [digit((low + high) / 2)] }
      if high - low == 1, let bound = upper, bound.count > 1 { return result + bound.prefix(1) }
      result.append(digit(low))
      lower = lower.dropFirst()
      // One digit apart, everything above the lower one is below the upper one.
      upper = high > low ? nil : upper?.dropFirst()
    }
  }

  /// The six digits of a device, the last of them not zero.
  static func suffix(of device: String) -> [UInt8] {
    let hash = SHA256.hash(Array(device.utf8)).prefix(6)
    var digits = hash.map { digit(Int($0) % 62) }
    if digits.last == zero { digits[digits.count - 1] = digit(1) }
    return digits
  }
}

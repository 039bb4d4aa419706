/// The position of a record among its neighbours: a fraction between theirs, as text that never runs
/// out.
///
/// Keys are compared byte by byte; records with equal keys are in the order of their ids. A key is a
/// whole number of any size and a fraction of any length, both in 62 digits, so that there is always
/// one more before, after and between. The last six digits distinguish devices: two that insert at
/// the same place at the same time get different keys, between which there is room again.
///
/// The first byte gives the number of digits of the whole number: `a` one, `b` two and so on up to `z`;
/// `Z` one and so on down to `A` below zero. The fraction follows and never ends in `0`.
public struct OrderKey: Hashable, Comparable, Sendable {
  /// The key as it is stored.
  public let text: String
  private let whole: [UInt8]
  private let fraction: [UInt8]

  /// Reads a key; nil for other text.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.longest, let head = bytes.first,
      let count = OrderDigits.count(head: head), bytes.count > count,
      bytes.dropFirst().allSatisfy({ OrderDigits.value(of: $0) != nil })
    else { return nil }
    let rest = bytes.dropFirst(count + 1)
    guard rest.last != OrderDigits.zero else { return nil }
    self.init(whole: Array(bytes.prefix(count + 1)), fraction: Array(rest))
  }

  /// The key of a number: greater numbers have greater keys, and equal ones the same on every device.
  ///
  /// Numbers beyond ±2⁵³ count as that limit, and NaN counts as 0.
  public init(position: Double) {
    let limit = 9_007_199_254_740_992.0
    let number = position.isNaN ? 0 : min(max(position, -limit), limit)
    let floor = number.rounded(.down)
    var rest = number - floor
    var fraction: [UInt8] = []
    // Each digit takes bits off a finite fraction; 40 digits are more than a person can see.
    while rest > 0, fraction.count < 40 {
      rest *= 62
      let digit = min(rest.rounded(.down), 61)
      fraction.append(OrderDigits.digit(Int(digit)))
      rest -= digit
    }
    while fraction.last == OrderDigits.zero { fraction.removeLast() }
    self.init(whole: OrderDigits.whole(Int64(floor)), fraction: fraction)
  }

  private init(whole: [UInt8], fraction: [UInt8]) {
    self.whole = whole
    self.fraction = fraction
    text = String(decoding: whole + fraction, as: UTF8.self)
  }

  /// Makes a key between two others, for the device with this id; without a neighbour before or
  /// after it is the first or the last one.
  ///
  /// Nil when the neighbours are not in order, so that nothing is between them.
  public init?(after lower: OrderKey?, before upper: OrderKey?, device: String) {
    let suffix = OrderDigits.suffix(of: device)
    switch (lower, upper) {
    case (nil, nil): self.init(whole: OrderDigits.whole(1), fraction: suffix)
    case (let lower?, nil):
      if let next = OrderDigits.next(lower.whole) {
        self.init(whole: next, fraction: suffix)
      } else {
        self.init(
          whole: lower.whole, fraction: OrderDigits.between(lower.fraction, nil, suffix))
      }
    case (nil, let upper?):
      if let previous = OrderDigits.previous(upper.whole) {
        self.init(whole: previous, fraction: suffix)
      } else {
        guard !upper.fraction.isEmpty else { return nil }
        self.init(whole: upper.whole, fraction: OrderDigits.between([], upper.fraction, suffix))
      }
    case (let lower?, let upper?):
      guard lower < upper else { return nil }
      if lower.whole == upper.whole {
        self.init(
          whole: lower.whole,
          fraction: OrderDigits.between(lower.fraction, upper.fraction, suffix))
      } else if let next = OrderDigits.next(lower.whole),
        next.lexicographicallyPrecedes(upper.whole)
      {
        self.init(whole: next, fraction: suffix)
      } else {
        self.init(
          whole: lower.whole, fraction: OrderDigits.between(lower.fraction, nil, suffix))
      }
    }
  }

  public static func < (left: OrderKey, right: OrderKey) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  /// The longest key that is read, in bytes; writing never comes near it.
  static let longest = 4_096
}

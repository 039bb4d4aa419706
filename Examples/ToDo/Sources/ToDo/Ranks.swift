/// Numbers that put items into the order in which people drag them.
///
/// An item that moves gets a number between those of its new neighbours, so that only this item changes, and two
/// devices that move different items both keep what they did.
enum Ranks {
  /// A number behind all others.
  ///
  /// Chance keeps two devices that add at the same time from choosing the same.
  static func last(after ranks: [Double]) -> Double {
    (ranks.max() ?? 0) + 1 + .random(in: 0..<0.5)
  }

  /// A number for a place among others; nil when none is free there.
  static func rank(at place: Int, among ranks: [Double]) -> Double? {
    guard let first = ranks.first, let last = ranks.last else { return 1 }
    if place <= 0 { return first - 1 }
    if place >= ranks.count { return last + 1 }
    let (before, after) = (ranks[place - 1], ranks[place])
    let middle = before + (after - before) / 2
    return before < middle && middle < after ? middle : nil
  }
}

extension [ClosedRange<UInt64>] {
  /// The same numbers in as few ranges as can be, in order.
  package var joined: Self {
    var joined: Self = []
    for range in sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, last.upperBound == .max || range.lowerBound <= last.upperBound + 1
      {
        joined[joined.count - 1] = last.lowerBound...Swift.max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }
}

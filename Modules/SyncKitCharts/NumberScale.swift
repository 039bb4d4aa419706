/// An axis of numbers whose ends and ticks are round: 1, 2 or 5 times a power of ten apart.
struct NumberScale {
  let low: Double
  let high: Double
  let ticks: [Double]
  private let decimals: Int

  /// Spans all finite values, about as many ticks apart as asked for.
  ///
  /// Values beyond 10³⁰⁰ count as that; where all are the same, some room is left around them.
  /// A tight scale ends where the values do, and has ticks between.
  init(covering values: some Sequence<Double>, ticks wanted: Int, isTight: Bool = false) {
    var range: (low: Double, high: Double)?
    for value in values where value.isFinite {
      let value = min(max(value, -1e300), 1e300)
      range = (min(range?.low ?? value, value), max(range?.high ?? value, value))
    }
    var (low, high) = range ?? (0, 1)
    let size = max(low.magnitude, high.magnitude)
    // So little apart that ticks between could not be told from each other.
    if high - low <= max(size * 1e-10, 1e-290) {
      let room = size > 1e-280 ? size * 0.1 : 1
      (low, high) = (low - room, high + room)
    }
    let (step, decimals) = Self.step(of: (high - low) / Double(max(1, wanted)))
    let first = (low / step).rounded(.down)
    let last = (high / step).rounded(.up)
    self.decimals = decimals
    let count = min(max(0, Int(exactly: last - first) ?? 0), 1000)
    let ticks = (0...count).map { (first + Double($0)) * step }
    self.low = isTight ? low : first * step
    self.high = isTight ? high : last * step
    self.ticks = isTight ? ticks.filter { low <= $0 && $0 <= high } : ticks
  }

  /// Where a finite value lies, 0 at the low end and 1 at the high one.
  func fraction(of value: Double) -> Double {
    let value = min(max(value, low), high)
    return (value - low) / (high - low)
  }

  /// A tick with as many decimals as tell it from the next.
  func label(_ tick: Double) -> String {
    if decimals > 9 { return tick == 0 ? "0" : "\(tick)" }
    // Zero times a step below zero is less than zero only in its sign.
    return ChartNumber.fixed(tick == 0 ? 0 : tick, decimals: decimals)
  }

  private static func step(of least: Double) -> (step: Double, decimals: Int) {
    var exponent = Int((Double(least.exponent) * 0.30103).rounded(.down)) - 1
    while let power = Double("1e\(exponent)"), exponent < 305 {
      for factor in [1.0, 2, 5] where power * factor >= least {
        return (power * factor, max(0, -exponent))
      }
      exponent += 1
    }
    return (least, 0)
  }
}

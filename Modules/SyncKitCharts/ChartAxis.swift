/// What the horizontal axis of a chart counts.
public enum ChartAxis: Sendable, Equatable {
  /// Milliseconds since 1970, written as dates and times in UTC.
  case dates
  /// Numbers of a unit.
  case numbers(unit: String)
}

/// A range that values are compared with, such as what a laboratory calls normal.
public struct ReferenceBand: Sendable, Equatable {
  /// What the range is called.
  public var name: String
  /// Its ends in the unit of the chart; nil where it is open.
  public var low: Double?
  /// The upper end; nil for none.
  public var high: Double?

  /// Describes a range.
  public init(_ name: String, low: Double? = nil, high: Double? = nil) {
    self.name = name
    self.low = low.flatMap { $0.isFinite ? $0 : nil }
    self.high = high.flatMap { $0.isFinite ? $0 : nil }
  }

  /// The ends that there are.
  var ends: [Double] { [low, high].compactMap { $0 } }

  func text(unit: String) -> String {
    let range =
      switch (low, high) {
      case (let low?, let high?): "\(ChartNumber.text(low))–\(ChartNumber.text(high))"
      case (let low?, nil): "≥ \(ChartNumber.text(low))"
      case (nil, let high?): "≤ \(ChartNumber.text(high))"
      case (nil, nil): ""
      }
    return range.isEmpty ? name : "\(name) \(range.with(unit: unit))"
  }
}

/// The scale of a horizontal axis.
enum HorizontalScale {
  case dates(DateScale)
  case numbers(NumberScale, unit: String)

  init(_ axis: ChartAxis, covering values: some Sequence<Double>, ticks: Int) {
    switch axis {
    case .dates: self = .dates(DateScale(covering: values, ticks: ticks))
    case .numbers(let unit):
      self = .numbers(NumberScale(covering: values, ticks: ticks, isTight: true), unit: unit)
    }
  }

  func fraction(of value: Double) -> Double {
    switch self {
    case .dates(let scale): scale.fraction(of: value)
    case .numbers(let scale, _): scale.fraction(of: value)
    }
  }

  var ticks: [(fraction: Double, label: String)] {
    switch self {
    case .dates(let scale):
      scale.ticks.map { (scale.fraction(of: $0.milliseconds), $0.label) }
    case .numbers(let scale, let unit):
      scale.ticks.enumerated().map {
        let label = scale.label($1)
        // The unit stands at the last number only, as it would be repeated at every other.
        return (
          scale.fraction(of: $1), $0 == scale.ticks.count - 1 ? label.with(unit: unit) : label
        )
      }
    }
  }

  /// Both ends in words.
  static func description(_ axis: ChartAxis, _ low: Double, _ high: Double) -> String {
    switch axis {
    case .dates:
      "\(DateScale.day(low)) to \(DateScale.day(high))"
    case .numbers(let unit):
      "\(ChartNumber.text(low)) to \(ChartNumber.text(high))".with(unit: unit)
    }
  }
}

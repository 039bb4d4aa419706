/// Amounts of wear as people read them.
public enum Amount {
  /// The amount with its unit, such as `12.5 h`.
  public static func text(
    _ amount: Double, _ measure: ServiceInterval.Measure, units: UnitSystem = .metric
  ) -> String {
    switch measure {
    case .hours: "\(number(amount, digits: 1)) h"
    case .kilometres:
      "\(number(units.distance(kilometres: amount), digits: 0)) \(units.distanceUnit)"
    case .rides: counted(amount, "ride")
    case .days: counted(amount, "day")
    }
  }

  /// A number of things with its noun, singular or plural as the rounded number reads.
  private static func counted(_ amount: Double, _ noun: String) -> String {
    let text = number(amount, digits: 0)
    return "\(text) \(text == "1" || text == "-1" ? noun : noun + "s")"
  }

  /// A number with that many digits after the point, none where they are zero.
  public static func number(_ value: Double, digits: Int) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return "-" }
    let scale = digits == 0 ? 1.0 : digits == 1 ? 10 : 100
    let parts = Int64((value * scale).rounded())
    let (whole, rest) = (parts.magnitude / UInt64(scale), parts.magnitude % UInt64(scale))
    let sign = parts < 0 ? "-" : ""
    guard rest > 0 else { return "\(sign)\(whole)" }
    let fraction = scale == 100 && rest < 10 ? "0\(rest)" : "\(rest)"
    return "\(sign)\(whole).\(fraction)"
  }
}

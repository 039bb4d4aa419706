import SyncKitFormats
import SyncKit

/// The distance of each bike in each month.
public struct MonthlyDistance: Sendable {
  /// The months in order, `2024-01`, none left out between the first and the last.
  public let months: [String]
  /// Kilometres by gear id, one number per month.
  public let kilometres: [String: [Double]]

  /// Adds rides up.
  ///
  /// - Parameters:
  ///   - rides: The rides; those without gear have no known bike.
  ///   - bike: The bike that a gear belongs to.
  ///   - since: Rides before are left out.
  ///   - month: The month of a time, such as `2024-01`; in UTC unless the place is known.
  public init(
    _ rides: some Sequence<Ride>, bike: (String) -> String, since: Int64 = .min,
    month: (Int64) -> String = { String(Timestamp.format(milliseconds: $0).prefix(7)) }
  ) {
    var sums: [String: [String: Double]] = [:]
    var met: Set<String> = []
    for ride in rides where ride.start >= since && ride.start >= 0 {
      guard let gear = ride.gear else { continue }
      let month = month(ride.start)
      sums[bike(gear), default: [:]][month, default: 0] += ride.metres / 1000
      met.insert(month)
    }
    var months: [String] = []
    if let first = met.min(), let last = met.max() {
      var next = first
      while next <= last, months.count < 12 * 300 {
        months.append(next)
        next = Self.next(next)
      }
    }
    self.months = months
    kilometres = sums.mapValues { sum in months.map { sum[$0] ?? 0 } }
  }

  private static func next(_ month: String) -> String {
    guard let year = Int(month.prefix(4)), let number = Int(month.suffix(2)) else {
      return "9999-99"
    }
    let (nextYear, nextNumber) = number == 12 ? (year + 1, 1) : (year, number + 1)
    let digits = "\(nextYear)"
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
      + (nextNumber < 10 ? "-0\(nextNumber)" : "-\(nextNumber)")
  }
}

import SyncKit

/// A day of a series.
struct AppleDay: Hashable {
  /// The position in ``AppleSeries/all``.
  var series: Int
  /// As in the date of an entry.
  var day: String
}

/// Sums up dense series by day, in memory that grows with the days and not with the readings.
struct AppleRollup {
  private struct Key: Hashable {
    var day: AppleDay
    /// Empty unless each source is added up separately.
    var source: String
  }

  private struct Sum {
    var count = 0
    var total = 0.0
    var least = Double.infinity
    var greatest = -Double.infinity
  }

  private var sums: [Key: Sum] = [:]

  /// Adds a reading to its day.
  mutating func add(_ value: Double, series: Int, day: String, source: String) {
    let isTotal =
      AppleSeries.all.indices.contains(series) && AppleSeries.all[series].density == .total
    let key = Key(day: AppleDay(series: series, day: day), source: isTotal ? source : "")
    var sum = sums[key] ?? Sum()
    sum.count += 1
    sum.total += value
    sum.least = min(sum.least, value)
    sum.greatest = max(sum.greatest, value)
    sums[key] = sum
  }

  /// The fields of an entry for each day of each series, in order.
  func entries() -> [[FieldName: Value]] {
    var best: [AppleDay: Sum] = [:]
    for (key, sum) in sums {
      if let other = best[key.day], other.total >= sum.total { continue }
      best[key.day] = sum
    }
    return best.sorted { ($0.key.series, $0.key.day) < ($1.key.series, $1.key.day) }
      .map { key, sum in
        let series = AppleSeries.all[key.series]
        let isTotal = series.density == .total
        let value = isTotal ? sum.total : sum.total / Double(sum.count)
        var fields = series.fields(value)
        fields[.date] = .string(key.day)
        if !isTotal, sum.count > 1 {
          fields[.minimum] = .double(sum.least.inThousandths)
          fields[.maximum] = .double(sum.greatest.inThousandths)
        }
        return fields
      }
  }
}

extension AppleSeries {
  /// The fields of a reading, without its date.
  func fields(_ value: Double) -> [FieldName: Value] {
    [
      "name": .string(name), .value: .double(value.inThousandths), .unit: .string(unit),
      .code: .string(loinc),
    ]
  }
}

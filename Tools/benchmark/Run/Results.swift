import SyncKitFormats

/// All measurements, by workload, measure and candidate.
struct Results {
  private struct Row {
    let workload: String
    let measure: String
    let candidate: String
    let unit: String
    var samples: [Double] = []
    var cpu: [Double] = []
    var peak: [Double] = []
  }

  private var rows: [Row] = []

  /// Adds a time with its cost.
  mutating func add(_ workload: String, _ measure: String, _ candidate: Candidate, _ cost: Cost) {
    let row = row(workload, measure, candidate.name, "s")
    rows[row].samples.append(cost.wall)
    rows[row].cpu.append(cost.cpu)
    rows[row].peak.append(Double(cost.peak) / 1e6)
  }

  /// Adds a number.
  mutating func add(
    _ workload: String, _ measure: String, _ candidate: String, _ value: Double, _ unit: String
  ) {
    rows[row(workload, measure, candidate, unit)].samples.append(value)
  }

  private mutating func row(
    _ workload: String, _ measure: String, _ candidate: String, _ unit: String
  ) -> Int {
    let index = rows.firstIndex {
      $0.workload == workload && $0.measure == measure && $0.candidate == candidate
        && $0.unit == unit
    }
    if let index { return index }
    rows.append(Row(workload: workload, measure: measure, candidate: candidate, unit: unit))
    return rows.count - 1
  }

  /// Medians with minimum and maximum, as a table.
  var table: String {
    let head = ["", "measure", "candidate", "median", "min", "max", "", "cpu s", "peak MB"]
    let body = rows.map { row in
      [
        row.workload, row.measure, row.candidate, Self.text(Self.median(row.samples)),
        Self.text(row.samples.min()), Self.text(row.samples.max()), row.unit,
        Self.text(Self.median(row.cpu)), Self.text(Self.median(row.peak)),
      ]
    }
    let cells = [head] + body
    let widths = head.indices.map { column in cells.map { $0[column].utf8.count }.max() ?? 0 }
    return cells.map { line in
      line.enumerated().map { column, text in
        let space = String(repeating: " ", count: widths[column] - text.utf8.count)
        return column < 3 || column == 6 ? text + space : space + text
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }

  /// The same as an array of objects.
  var json: JSON {
    .array(
      rows.map { row in
        var object: JSONObject = [
          "workload": .string(row.workload), "measure": .string(row.measure),
          "candidate": .string(row.candidate), "unit": .string(row.unit),
          "runs": .int(Int64(row.samples.count)),
        ]
        object["median"] = Self.median(row.samples).map(JSON.double)
        object["min"] = row.samples.min().map(JSON.double)
        object["max"] = row.samples.max().map(JSON.double)
        object["cpu"] = Self.median(row.cpu).map(JSON.double)
        object["peakMB"] = Self.median(row.peak).map(JSON.double)
        return .object(object)
      })
  }

  private static func median(_ samples: [Double]) -> Double? {
    guard !samples.isEmpty else { return nil }
    let sorted = samples.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// A number with four significant digits.
  private static func text(_ value: Double?) -> String {
    guard let value else { return "" }
    var unit = 1.0
    while unit < 1e7, value.magnitude * unit < 999.5 { unit *= 10 }
    let rounded = (value * unit).rounded() / unit
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}

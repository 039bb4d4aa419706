import SyncKitFormats

/// The measurements: medians with minimum and maximum, and the goals.
struct LoadReport {
  /// The goal for a number.
  enum Goal {
    case atLeast(Double)
    case atMost(Double)

    var text: String {
      switch self {
      case .atLeast(let value): "≥ \(LoadReport.text(value))"
      case .atMost(let value): "≤ \(LoadReport.text(value))"
      }
    }

    func isMet(by value: Double) -> Bool {
      switch self {
      case .atLeast(let least): value >= least
      case .atMost(let most): value <= most
      }
    }
  }

  private struct Row {
    let scenario: String
    let measure: String
    let unit: String
    let goal: Goal?
    var samples: [Double] = []

    var median: Double {
      let sorted = samples.sorted()
      let middle = sorted.count / 2
      guard !sorted.isEmpty else { return 0 }
      return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    var isMet: Bool? { goal.map { $0.isMet(by: median) } }
  }

  private var rows: [Row] = []
  /// The faults, by kind.
  private(set) var faults: [String: Int] = [:]

  /// The number of faults.
  var failures: Int { faults.values.reduce(0, +) }
  /// The number of missed goals.
  var misses: Int { rows.count { $0.isMet == false } }

  /// Adds a number.
  mutating func add(
    _ scenario: String, _ measure: String, _ value: Double, _ unit: String, _ goal: Goal? = nil
  ) {
    let index = rows.firstIndex { $0.scenario == scenario && $0.measure == measure }
    if index == nil {
      rows.append(Row(scenario: scenario, measure: measure, unit: unit, goal: goal))
    }
    rows[index ?? rows.count - 1].samples.append(value)
  }

  /// Adds times.
  mutating func add(
    _ scenario: String, _ measure: String, _ times: Latencies, p99 goal: Goal? = nil
  ) {
    add(scenario, "\(measure), p50", times.milliseconds(0.5), "ms")
    add(scenario, "\(measure), p99", times.milliseconds(0.99), "ms", goal)
    add(scenario, "\(measure), longest", times.milliseconds(1), "ms")
  }

  /// Notes faults.
  mutating func fault(_ scenario: String, _ what: String, _ count: Int = 1) {
    if count > 0 { faults["\(scenario): \(what)", default: 0] += count }
  }

  /// As a table for people.
  var table: String {
    var cells = [["", "measure", "median", "min", "max", "", "goal", ""]]
    cells += rows.map { row in
      [
        row.scenario, row.measure, Self.text(row.median), Self.text(row.samples.min() ?? 0),
        Self.text(row.samples.max() ?? 0), row.unit, row.goal?.text ?? "",
        row.isMet.map { $0 ? "met" : "missed" } ?? "",
      ]
    }
    let widths = cells[0].indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    var lines = cells.map { line in
      line.enumerated().map { column, text in
        let space = String(repeating: " ", count: widths[column] - text.count)
        return (2...4).contains(column) ? space + text : text + space
      }.joined(separator: "  ")
    }
    lines += faults.sorted { $0.key < $1.key }.map { "wrong: \($0.key): \($0.value)" }
    return lines.joined(separator: "\n")
  }

  /// As a document.
  var json: JSON {
    [
      "schema": "cloudsync.load/1",
      "measurements": .array(
        rows.map { row in
          var object: JSONObject = [
            "scenario": .string(row.scenario), "measure": .string(row.measure),
            "unit": .string(row.unit), "runs": .int(Int64(row.samples.count)),
            "median": .double(row.median), "min": .double(row.samples.min() ?? 0),
            "max": .double(row.samples.max() ?? 0),
          ]
          if let goal = row.goal, let isMet = row.isMet {
            object["goal"] = .string(goal.text)
            object["met"] = .bool(isMet)
          }
          return .object(object)
        }),
      "faults": .array(
        faults.sorted { $0.key < $1.key }.map {
          ["what": .string($0.key), "count": .int(Int64($0.value))]
        }),
    ]
  }

  /// A number with about three significant digits.
  static func text(_ value: Double) -> String {
    var unit = 1.0
    while unit < 1e3, value.magnitude * unit < 100 { unit *= 10 }
    let rounded = (value * unit).rounded() / unit
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}

/// The times of many actions.
struct Latencies: Sendable {
  private var nanoseconds: [Int64] = []

  var count: Int { nanoseconds.count }

  mutating func add(_ time: Int64) { nanoseconds.append(time) }
  mutating func add(_ others: Latencies) { nanoseconds += others.nanoseconds }

  /// The time that the given share did not exceed; 0 without any.
  func milliseconds(_ part: Double) -> Double {
    guard !nanoseconds.isEmpty else { return 0 }
    let sorted = nanoseconds.sorted()
    let index = Int((Double(sorted.count - 1) * part).rounded(.up))
    return Double(sorted[index]) / 1e6
  }
}

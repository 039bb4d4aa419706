import SyncKitCharts
import SyncKit

/// A measurement over time, as a chart for the terminal or as a picture.
///
/// It draws the measurements with their unit, and no range that would judge them.
public struct HealthChart: Sendable {
  /// The measure to draw.
  public enum Measure: Sendable, Equatable {
    /// The weight in kilograms.
    case weight
    /// Systolic and diastolic blood pressure in mmHg.
    case bloodPressure
    /// A reading with another name.
    case reading(String)
  }

  /// The number of values drawn.
  public let count: Int
  /// The title: the measure with its unit.
  public let title: String
  /// The unit of the values.
  public let unit: String
  private let lines: LineChart?
  private let ranges: RangeChart?

  /// Draws a measure of a person or pet since a point in time.
  ///
  /// - Throws: ``SyncKit/SyncError`` `record.not-found` when there is nothing to draw, or
  ///   `input.invalid` when readings of one name have different units.
  public init(_ tree: HealthTree, _ measure: Measure, since start: Int64? = nil) throws {
    let entries = tree.entries.filter { entry in
      guard let date = entry.date else { return false }
      return start.map { date.start >= $0 } ?? true
    }
    switch measure {
    case .weight:
      (title, unit) = ("Weight", "kg")
      let points = entries.compactMap { $0.point(\.kilograms) }
      count = points.count
      lines = LineChart(title, unit: unit, series: [LineChart.Series("Weight", points: points)])
      ranges = nil
    case .bloodPressure:
      (title, unit) = ("Blood pressure", "mmHg")
      let pairs = entries.compactMap { entry -> RangeChart.Pair? in
        guard let pressure = entry.bloodPressure, let date = entry.date else { return nil }
        return RangeChart.Pair(at: date.start, pressure.diastolic, pressure.systolic)
      }
      count = pairs.count
      lines = nil
      ranges = RangeChart(title, unit: unit, pairs: pairs)
    case .reading(let name):
      let own = entries.filter { $0.kind == .blood && $0.series.folded == name.folded }
        .filter { $0.record[.value].number != nil }
      let units = Set(own.compactMap { $0.record[.unit].string })
      guard units.count <= 1 else {
        throw SyncError(
          .inputInvalid, "These readings have different units and do not fit into one chart.",
          hint: "'cloudsync health entry list' shows them")
      }
      title = own.last?.record["name"].string ?? name
      unit = units.first ?? ""
      let points = own.compactMap { $0.point { $0.record[.value].number } }
      count = points.count
      lines = LineChart(title, unit: unit, series: [LineChart.Series(title, points: points)])
      ranges = nil
    }
    guard count > 0 else {
      throw SyncError(
        .notFound, "There are no dated readings to draw.",
        hint: "'cloudsync health entry list' shows the entries")
    }
  }

  /// The chart for a terminal of that many columns.
  public func text(width: Int) -> String {
    lines?.text(width: width) ?? ranges?.text(width: width) ?? ""
  }

  /// The chart as a picture of its own.
  public var svg: String { lines?.svg() ?? ranges?.svg() ?? "" }
}

extension HealthEntry {
  fileprivate func point(_ value: (HealthEntry) -> Double?) -> LineChart.Point? {
    guard let date, let value = value(self) else { return nil }
    return LineChart.Point(at: date.start, value)
  }
}

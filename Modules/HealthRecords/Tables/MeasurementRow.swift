import SyncKitFormats
import SyncKit

/// Reads one row of a table of measurements: a weight, a blood pressure, or both.
struct MeasurementRow {
  private let row: CSVRow
  private let layout: MeasurementColumns

  init(_ row: CSVRow, _ layout: MeasurementColumns) {
    self.row = row
    self.layout = layout
  }

  func read(of subject: Name, into collector: inout EntryCollector) {
    var shared: [Name: Value] = [:]
    var day = ""
    var time = ""
    for column in layout.columns {
      let cell = row.cells[column.index].trimmed
      switch column.meaning {
      case .date: day = cell
      case .time: time = cell
      case .comment where !cell.isEmpty: shared["comment"] = .string(cell)
      default: break
      }
    }
    let moment = time.isEmpty || day.utf8.count > 10 ? day : "\(day) \(time)"
    if !moment.isEmpty {
      guard let date = HealthDate(moment) else {
        return collector.fail(row.line, "date", "The cell is not a date such as 2024-01-15.")
      }
      shared[.date] = .string(date.text)
    }
    readWeight(shared, subject, &collector)
    readPressure(shared, subject, &collector)
  }

  private func readWeight(
    _ shared: [Name: Value], _ subject: Name, _ collector: inout EntryCollector
  ) {
    for case (let index, let header, .weight(let unit)) in layout.columns {
      let cell = row.cells[index].trimmed
      guard !cell.isEmpty else { continue }
      guard let kilograms = MassUnit.kilograms(in: cell, unit: unit) else {
        let wanted = unit.map { "a weight in \($0.rawValue)" } ?? "a weight with its unit"
        collector.fail(row.line, header, "The cell is not \(wanted).")
        continue
      }
      collector.entry(
        row: row.line, .weight, of: subject,
        shared.merging([.weightKg: .double(kilograms)]) { $1 })
    }
  }

  private func readPressure(
    _ shared: [Name: Value], _ subject: Name, _ collector: inout EntryCollector
  ) {
    var pair: (Double?, Double?)
    var isThere = false
    for (index, header, meaning) in layout.columns {
      let cell = row.cells[index].trimmed
      guard !cell.isEmpty else { continue }
      switch meaning {
      case .systolic(let unit):
        pair.0 = Double(plain: cell).map(unit.millimetresOfMercury)
        isThere = true
      case .diastolic(let unit):
        pair.1 = Double(plain: cell).map(unit.millimetresOfMercury)
        isThere = true
      case .pressure:
        guard let pressure = BloodPressure(cell) else {
          collector.fail(row.line, header, "The cell is not a blood pressure such as 120/80 mmHg.")
          continue
        }
        add(pressure, shared, subject, &collector)
      default: break
      }
    }
    guard isThere else { return }
    guard case (let upper?, let lower?) = pair,
      let pressure = BloodPressure(systolic: upper, diastolic: lower)
    else {
      return collector.fail(
        row.line, "systolic",
        "The cells are not a blood pressure: two numbers, the higher one first.")
    }
    add(pressure, shared, subject, &collector)
  }

  private func add(
    _ pressure: BloodPressure, _ shared: [Name: Value], _ subject: Name,
    _ collector: inout EntryCollector
  ) {
    collector.entry(
      row: row.line, .blood, of: subject,
      shared.merging(["name": .string(pressure.text)]) { $1 })
  }
}

import SyncKitFormats
import SyncKit

/// Reads one row of a table of measurements: each column with a number becomes an entry.
struct MeasurementRow {
  private let row: CSVRow
  private let layout: MeasurementColumns
  private let defaults: TableDefaults
  /// What the row says, written only if no cell of it is bad.
  private var entries: [(kind: EntryKind, fields: [FieldName: Value], what: String)] = []
  private var faults: [(column: String, message: String)] = []

  init(_ row: CSVRow, _ layout: MeasurementColumns, _ defaults: TableDefaults) {
    self.row = row
    self.layout = layout
    self.defaults = defaults
  }

  private func cell(_ column: MeasurementColumns.Column) -> TableCell {
    TableCell(row.cells.indices.contains(column.index) ? row.cells[column.index] : "")
  }

  mutating func read(
    _ date: HealthDate?, of subject: RecordID, into collector: inout EntryCollector
  ) {
    var shared: [FieldName: Value] = [:]
    if let date { shared[.date] = .string(date.text) }
    if let comment { shared["comment"] = .string(comment) }
    readWeight(shared)
    readPressure(shared)
    readVitals(shared)
    for fault in faults { collector.fail(row.line, fault.column, fault.message) }
    guard faults.isEmpty else { return }
    for entry in entries {
      collector.entry(row: row.line, entry.kind, of: subject, entry.fields, as: entry.what)
    }
  }

  private mutating func fail(_ column: String, _ message: String) {
    faults.append((column, message))
  }

  private var comment: String? {
    let parts = layout.columns.compactMap { column -> String? in
      let cell = cell(column)
      switch column.meaning {
      case .comment where !cell.isBlank: return cell.text
      case .remark(let label) where !cell.isDenial: return "\(label): \(cell.text)"
      default: return nil
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: "\n")
  }

  private mutating func readWeight(_ shared: [FieldName: Value]) {
    for column in layout.columns {
      guard case .weight(let unit) = column.meaning else { continue }
      let cell = cell(column)
      if cell.isBlank || cell.quantity?.value == 0 { continue }
      let known = unit ?? defaults.weights
      guard let kilograms = MassUnit.kilograms(in: cell.text, unit: known) else {
        let wanted = known.map { "a weight in \($0.rawValue)" } ?? "a weight with its unit"
        fail(column.header, "The cell is not \(wanted).")
        continue
      }
      let own: [FieldName: Value] = [.weightKg: .double(kilograms)]
      entries.append((.weight, shared.merging(own) { $1 }, "weight"))
    }
  }

  private mutating func readPressure(_ shared: [FieldName: Value]) {
    var pair: (Double?, Double?)
    var filled = 0
    func number(_ cell: TableCell, _ unit: PressureUnit?) -> Double? {
      guard let quantity = cell.quantity, quantity.sign == nil else { return nil }
      let stated = quantity.unit.map { PressureUnit(named: $0) } ?? unit ?? .millimetresOfMercury
      return stated?.millimetresOfMercury(quantity.value)
    }
    for column in layout.columns {
      let cell = cell(column)
      if cell.isBlank || cell.quantity?.value == 0 { continue }
      switch column.meaning {
      case .systolic(let unit):
        pair.0 = number(cell, unit)
        filled += 1
      case .diastolic(let unit):
        pair.1 = number(cell, unit)
        filled += 1
      case .pressure:
        guard let pressure = BloodPressure(cell.text) else {
          fail(
            column.header, "The cell is not a blood pressure such as 120/80 mmHg.")
          continue
        }
        add(pressure, shared)
      default: break
      }
    }
    guard filled > 0 else { return }
    guard case (let upper?, let lower?) = pair,
      let pressure = BloodPressure(systolic: upper, diastolic: lower)
    else {
      return fail(
        "systolic",
        "The cells are not a blood pressure: two numbers, the higher one first.")
    }
    add(pressure, shared)
  }

  private mutating func add(_ pressure: BloodPressure, _ shared: [FieldName: Value]) {
    let own: [FieldName: Value] = ["name": .string(pressure.text)]
    entries.append((.blood, shared.merging(own) { $1 }, "blood pressure"))
  }

  // MARK: Vital signs

  private mutating func readVitals(_ shared: [FieldName: Value]) {
    for column in layout.columns {
      guard case .vital(let sign, .value) = column.meaning else { continue }
      let cell = cell(column)
      if cell.isBlank || sign.isNeverZero && cell.quantity?.value == 0 { continue }
      guard let own = fields(of: cell, sign, column) else {
        let wanted = column.unit.map { " in \($0)" } ?? ""
        fail(column.header, "The cell is not a number\(wanted).")
        continue
      }
      var fields = shared.merging(own) { $1 }
      for (part, name) in [
        (MeasurementColumns.Part.minimum, FieldName.minimum), (.maximum, .maximum),
      ] {
        guard let bound = layout.columns.first(where: { $0.meaning == .vital(sign, part) }),
          let quantity = self.cell(bound).quantity
        else { continue }
        fields[name] = .double(quantity.value)
      }
      entries.append((.blood, fields, sign.rawValue.lowercased()))
    }
  }

  private func fields(
    of cell: TableCell, _ sign: VitalSign, _ column: MeasurementColumns.Column
  ) -> [FieldName: Value]? {
    // A sensor writes these where a value is beyond what it can measure.
    if sign == .glucose, ["low", "high", "lo", "hi"].contains(cell.text.folded) {
      return ["name": .string(sign.rawValue), .result: .string(cell.text)]
    }
    guard let quantity = sign == .steps ? cell.count ?? cell.quantity : cell.quantity,
      let stored = sign.stored(
        quantity.value, quantity.unit ?? column.unit ?? defaults.unit(of: sign),
        lengths: defaults.lengths, masses: defaults.masses)
    else { return nil }
    var fields = stored.fields
    if let comparator = quantity.sign { fields[.comparator] = .string(comparator.rawValue) }
    return fields
  }
}

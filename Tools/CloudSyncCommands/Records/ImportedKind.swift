import CommandFoundation
import SyncKit
import SyncKitFormats

/// What becomes of the rows of one kind in an imported file, such as those of one table or with one fault.
struct ImportedKind {
  /// What the rows are, or why they are passed over.
  var kind: String
  /// How many rows there are.
  var count: Int
  /// What becomes of them, by number; all zero when the file is refused.
  var added = 0
  var changed = 0
  var unchanged = 0
  var bad = 0
  var passedOver = 0
  /// Whether bad rows are skipped, rather than a reason to refuse the file.
  var isSkipping = false

  /// The rows of a file, counted by kind.
  ///
  /// - Parameters:
  ///   - records: The rows, after all checks.
  ///   - outcomes: What would become of each good one; none when the file is refused.
  ///   - skippingBad: Whether bad rows are skipped.
  /// - Returns: The kinds in the order of the file, then those passed over, then the bad ones.
  static func count(
    _ records: ImportedRecords, outcomes: [WriteOutcome] = [], skippingBad: Bool = false
  ) -> [ImportedKind] {
    var kinds: [ImportedKind] = []
    var places: [String: Int] = [:]
    let isKnown = outcomes.count == records.rows.count
    for (index, row) in records.rows.enumerated() {
      let name = row.kind ?? row.draft.collection.text
      let place = places[name] ?? kinds.count
      if place == kinds.count {
        places[name] = place
        kinds.append(ImportedKind(kind: name, count: 0))
      }
      kinds[place].count += 1
      if isKnown { kinds[place].add(outcomes[index]) }
    }
    for passed in records.passedOver {
      kinds.append(
        ImportedKind(kind: passed.kind, count: passed.count, passedOver: passed.count))
    }
    let bad = BadRows.rows(of: records.faults)
    if bad > 0 {
      kinds.append(
        ImportedKind(kind: "bad", count: bad, bad: bad, isSkipping: skippingBad))
    }
    return kinds
  }

  private mutating func add(_ outcome: WriteOutcome) {
    switch outcome {
    case .added: added += 1
    case .changed: changed += 1
    case .unchanged: unchanged += 1
    case .deleted: break
    }
  }

  var json: JSON {
    [
      "kind": .string(kind), "count": .int(Int64(count)), "added": .int(Int64(added)),
      "changed": .int(Int64(changed)), "unchanged": .int(Int64(unchanged)),
      "bad": .int(Int64(bad)), "passedOver": .int(Int64(passedOver)),
    ]
  }

  static func table(_ kinds: [ImportedKind]) -> ReportTable {
    ReportTable(
      [
        ReportTable.Column("rows", numeric: true), ReportTable.Column("kind"),
        ReportTable.Column("outcome"),
      ],
      rows: kinds.map { kind in
        [
          ReportTable.Cell(kind.count), ReportTable.Cell(kind.kind), ReportTable.Cell(kind.phrase),
        ]
      })
  }

  private var phrase: String {
    let parts = [
      (added, "added"), (changed, "changed"), (unchanged, "unchanged"),
      (bad, isSkipping ? "skipped" : "refused"),
      (passedOver, "passed over"),
    ].filter { $0.0 > 0 }
    if parts.isEmpty { return "not written" }
    if parts.count == 1, parts[0].0 == count { return parts[0].1 }
    return parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}

extension ImportedRecords.PassedOver {
  /// The rows as a warning.
  var sentence: String {
    let place = first.map { count == 1 ? ": row \($0)" : "; the first is row \($0)" } ?? ""
    return "\(Plural(count, "row was", "rows were")) passed over (\(kind))\(place)"
  }
}

import CommandFoundation
import SyncKitFormats
import SyncKit

/// The result of a writing command, or with `--dry-run` its plan.
struct WriteResult {
  /// An entry that was skipped, with its place in the input.
  typealias Fault = ImportedRecords.Fault

  /// The batch in the history; nil if nothing was written.
  var batch: BatchID?
  var added = 0
  var changed = 0
  var deleted = 0
  var unchanged = 0
  /// Warnings about changes that were made nevertheless.
  var warnings: [String] = []
  /// How the input was read, such as the columns that were used.
  var notes: [String] = []
  /// The reasons why edits stay on this device without that being anyone's choice.
  var unsent: [UnsentEdits] = []
  /// The entries that were skipped.
  var errors: [Fault] = []
  /// The plan of a dry run; nil for a real run.
  var plan: [RecordChange]?
  /// What a dry run would do with each draft, in their order.
  var outcomes: [WriteOutcome] = []
  /// What becomes of each kind of row of an imported file.
  var kinds: [ImportedKind] = []

  init() {}

  /// Takes the counts of a store; a rehearsal is rolled back, so it has no batch.
  init(_ summary: BatchSummary, isRehearsed: Bool = false) {
    batch = isRehearsed ? nil : summary.batch
    added = summary.added
    changed = summary.changed
    deleted = summary.deleted
    unchanged = summary.unchanged
    unsent = summary.unsent
    if isRehearsed { plan = [] }
  }

  /// The document and the table.
  ///
  /// A person sees the plan, or else the errors; the counts are a message, see ``phrase``.
  func report(_ schema: String) -> Report {
    var keys: JSONObject = [
      "batch": batch.map { .string("\($0)") } ?? .null,
      "added": .int(Int64(added)), "changed": .int(Int64(changed)),
      "deleted": .int(Int64(deleted)), "unchanged": .int(Int64(unchanged)),
      "warnings": .array(allWarnings.map { .string($0) }),
      "errors": .array(errors.map(\.json)),
    ]
    if !unsent.isEmpty { keys["unsent"] = .array(unsent.map { .object($0.json) }) }
    if !notes.isEmpty { keys["notes"] = .array(notes.map { .string($0) }) }
    if let plan { keys["plan"] = .array(plan.map(\.json)) }
    if !kinds.isEmpty { keys["kinds"] = .array(kinds.map(\.json)) }
    if !errors.isEmpty { return Report(schema, keys, table: errorTable) }
    if let plan {
      return Report(schema, keys, table: ReportTable(RecordChange.columns, rows: plan.map(\.cells)))
    }
    let names = ["batch", "added", "changed", "deleted", "unchanged"]
    let row: [ReportTable.Cell] = [
      ReportTable.Cell(batch.map { "\($0)" } ?? ""), ReportTable.Cell(added),
      ReportTable.Cell(changed),
      ReportTable.Cell(deleted), ReportTable.Cell(unchanged),
    ]
    return Report(
      schema, keys, table: ReportTable(names.map { ReportTable.Column($0) }, rows: [row]), text: "")
  }

  /// All warnings: first those about edits that stay here, then the rest.
  var allWarnings: [String] { unsent.map(\.warning) + warnings }

  private var errorTable: ReportTable {
    ReportTable(
      [
        ReportTable.Column("row", numeric: true), ReportTable.Column("column"),
        ReportTable.Column("error"),
      ],
      rows: errors.map { fault in
        [
          ReportTable.Cell(fault.row.map { "\($0)" } ?? ""), ReportTable.Cell(fault.column ?? ""),
          ReportTable.Cell(fault.message),
        ]
      })
  }

  /// The counts in words, and how to undo the batch.
  var phrase: String {
    guard let batch else { return plan == nil ? counts : "would be: \(counts)" }
    return "\(counts); take it back with 'cloudsync undo \(batch)'"
  }

  /// The counts in words.
  var counts: String {
    let parts = [
      (added, "added"), (changed, "changed"), (deleted, "deleted"), (unchanged, "unchanged"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return parts.isEmpty ? "nothing to do" : parts.joined(separator: ", ")
  }
}

extension WriteResult.Fault {
  var json: JSON {
    var document: JSONObject = [:]
    if let row { document["row"] = .int(Int64(row)) }
    if let column { document["column"] = .string(column) }
    document["message"] = .string(message)
    return .object(document)
  }
}

extension WriteFailure {
  /// Some entries were skipped, for a reason given as a clause; the rest is done.
  static func partial(_ result: WriteResult, _ reason: String) -> WriteFailure {
    WriteFailure(
      result: result,
      error: SyncError(
        .partial, "\(reason); \(result.counts)",
        hint: result.batch.map { "take it back with 'cloudsync undo \($0)'" },
        isSafe: result.batch == nil))
  }
}

extension SyncError.Code {
  /// Some records were skipped; the rest is committed.
  static let partial = Self("records.partial", exit: 3)
}

/// A failure with its details: the result so far, and all errors.
struct WriteFailure: Error {
  var result: WriteResult
  var error: SyncError
}

extension CommandContext {
  /// Prints the result of a writing command: the document, warnings, and the counts as a message.
  ///
  /// A failing run prints its document too, with the faults under `errors`.
  ///
  /// - Throws: What `body` throws; the error within a ``WriteFailure``.
  func write(
    _ schema: String, isRehearsal: Bool, _ body: () throws -> WriteResult
  ) throws {
    do {
      let result = try body()
      print(result, schema)
      tell(result)
      tellKinds(of: result)
      note(result.phrase)
    } catch let failure as WriteFailure {
      print(failure, schema)
      tell(failure.result)
      tellKinds(of: failure.result)
      throw failure.error
    } catch let error as SyncError where error.code != .usage {
      var result = error.committed.map { WriteResult($0) } ?? WriteResult()
      result.errors = [WriteResult.Fault(row: nil, message: error.message)]
      if isRehearsal { result.plan = [] }
      // A person reads the same on standard error.
      if format != .table { print(result.report(schema)) }
      throw error
    }
  }

  /// Prints the result: all of it for a program, a readable part of an import's plan for a person.
  private func print(_ result: WriteResult, _ schema: String) {
    var report = result.report(schema)
    let count = report.table.rows.count
    let isLong = result.plan != nil && !result.kinds.isEmpty && count > Self.shown
    guard format == .table, isLong else { return print(report) }
    report.table.rows = Array(report.table.rows.prefix(Self.shown))
    print(report)
    note("and \(count - Self.shown) more changes; --json has all")
  }

  /// Says what would become of each kind of row of an imported file, after a dry run.
  private func tellKinds(of result: WriteResult) {
    guard result.plan != nil, !result.kinds.isEmpty else { return }
    let table = ImportedKind.table(result.kinds)
    note("the rows of the file would be:\n" + table.aligned(paint: Paint(isOn: false)).dropLast())
  }

  /// Prints the failures: all of them for a program, a readable number for a person.
  private func print(_ failure: WriteFailure, _ schema: String) {
    var report = failure.result.report(schema)
    guard format == .table else { return print(report) }
    guard !isQuiet else { return }
    let count = report.table.rows.count
    report.table.rows = Array(report.table.rows.prefix(Self.shown))
    print(report)
    tellRest(count, "errors")
  }

  /// Prints the warnings about a write, and how its input was read.
  func tell(_ result: WriteResult) {
    tell(result.allWarnings, "warnings")
    for sentence in result.notes { note(sentence) }
  }

  /// Prints sentences as warnings, up to a readable number, and the number of the others.
  func tell(_ sentences: [String], _ noun: String) {
    for sentence in sentences.prefix(Self.shown) { warn(sentence) }
    tellRest(sentences.count, noun)
  }

  private func tellRest(_ count: Int, _ noun: String) {
    guard count > Self.shown else { return }
    let rest = count - Self.shown
    warn("and \(rest) more \(rest == 1 ? String(noun.dropLast()) : noun); --json has all")
  }

  /// A person can read this many sentences.
  private static let shown = 20
}

extension UnsentEdits {
  /// The edits in documents.
  var json: JSONObject {
    var keys: JSONObject = ["reason": .string(reason.rawValue)]
    if root != nil { keys["record"] = .string(name) }
    if !owner.isEmpty { keys["owner"] = .string(owner) }
    if !remote.isEmpty { keys["remote"] = .string(remote) }
    if !records.isEmpty { keys["records"] = .array(records.map { .string("\($0)") }) }
    return keys
  }
}

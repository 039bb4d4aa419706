import CommandFoundation
import SyncKitFormats
import SyncKit

/// What an import does about rows that it cannot take: it refuses the file, or with `--skip-bad` leaves them out.
struct BadRows {
  /// What the file is called in messages.
  let file: String
  /// Whether the good rows are taken without them.
  let isSkipping: Bool
  let isRehearsal: Bool
  /// What one of them is called.
  var noun = "row"

  /// Refuses a file with bad rows, unless they are left out; `result` is what files before it have led to.
  ///
  /// - Throws: ``WriteFailure`` with all of them, `input.invalid`.
  func refuse(_ faults: [WriteResult.Fault], after result: WriteResult = WriteResult()) throws {
    guard !isSkipping, let first = faults.first else { return }
    var result = result
    result.errors += faults
    if isRehearsal { result.plan = [] }
    let place = first.row.map { "row \($0): " } ?? first.column.map { "\($0): " } ?? ""
    let count = Self.rows(of: faults)
    let what = count == 1 ? place + first.message : "\(count) bad \(noun)s"
    throw WriteFailure(
      result: result,
      error: SyncError(
        .inputInvalid, "\(file): \(what)",
        hint: "nothing of it was written; --skip-bad takes the good \(noun)s",
        isSafe: result.batch == nil))
  }

  /// What was written without bad rows.
  ///
  /// - Throws: ``WriteFailure`` with them, `records.partial`, when there are any.
  func leaveOut(_ faults: [WriteResult.Fault], of result: WriteResult) throws -> WriteResult {
    guard !faults.isEmpty else { return result }
    var result = result
    result.errors = faults
    let count = Self.rows(of: faults)
    let verb = isRehearsal ? "would be" : count == 1 ? "was" : "were"
    throw WriteFailure.partial(result, "\(Plural(count, "bad \(noun)")) \(verb) left out")
  }

  /// How many rows have faults: one may have several, and what has no number is a row of its own.
  static func rows(of faults: [WriteResult.Fault]) -> Int {
    Set(faults.compactMap(\.row)).count + faults.count { $0.row == nil }
  }
}

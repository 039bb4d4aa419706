import CommandFoundation
import SyncKitFormats
import SyncKit

/// The handling of bad rows in an import: it refuses the file, or with `--skip-bad` skips them.
struct BadRows {
  /// The name of the file in messages.
  let file: String
  /// Whether to write the good rows without them.
  let isSkipping: Bool
  let isRehearsal: Bool
  /// The noun for one of them.
  var noun = "row"

  /// Refuses a file with bad rows, unless they are skipped; `result` is that of the files before it.
  ///
  /// - Throws: ``WriteFailure`` with all of them, `input.invalid`.
  func refuse(_ faults: [WriteResult.Fault], after result: WriteResult = WriteResult()) throws {
    guard !isSkipping, let first = faults.first else { return }
    var result = result
    result.errors += faults
    if isRehearsal { result.plan = result.plan ?? [] }
    let place = first.row.map { "row \($0): " } ?? first.column.map { "\($0): " } ?? ""
    let count = Self.rows(of: faults)
    let what = count == 1 ? place + first.message : "\(count) bad \(noun)s"
    throw WriteFailure(
      result: result,
      error: SyncError(
        .inputInvalid, "\(file): \(what)",
        hint: "none of the file was written; --skip-bad writes the good \(noun)s",
        isSafe: result.batch == nil))
  }

  /// The result without bad rows.
  ///
  /// - Throws: ``WriteFailure`` with them, `records.partial`, if there are any.
  func leaveOut(_ faults: [WriteResult.Fault], of result: WriteResult) throws -> WriteResult {
    guard !faults.isEmpty else { return result }
    var result = result
    result.errors = faults
    let count = Self.rows(of: faults)
    let verb = isRehearsal ? "would be" : count == 1 ? "was" : "were"
    throw WriteFailure.partial(result, "\(Plural(count, "bad \(noun)")) \(verb) skipped")
  }

  /// The number of bad rows: one may have several faults, and a fault without a number counts as a row.
  static func rows(of faults: [WriteResult.Fault]) -> Int {
    Set(faults.compactMap(\.row)).count + faults.count { $0.row == nil }
  }
}

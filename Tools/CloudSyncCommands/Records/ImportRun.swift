import CommandFoundation
import SyncKitFormats
import SyncKit

/// One import of a file: read, checked as a whole, then written as one batch.
struct ImportRun<D: DomainRegistration> {
  let file: ImportedFile
  /// Takes the good rows of a file that has bad ones.
  let skipBad: Bool
  let isRehearsal: Bool
  let context: CommandContext
  /// A special way to write the records; nil to write them as they are.
  var writing: (([RecordDraft], RecordWriter<D>) throws -> WriteResult)?
  /// What follows from the records once they are written; it adds to the result.
  var afterwards: (([RecordDraft], RecordWriter<D>, inout WriteResult) throws -> Void)?

  /// Imports the file, all or nothing.
  ///
  /// - Parameters:
  ///   - session: The session whose store is written.
  ///   - domain: The reader of the file, if it is not the registered domain itself.
  /// - Returns: The result of the write.
  /// - Throws: ``WriteFailure`` for bad rows, ``SyncError`` if the file cannot be read.
  func result(_ session: Session, reading domain: (any SyncDomain)? = nil) throws -> WriteResult {
    let line = ProgressLine(context)
    defer { line.clear() }
    line.begin("reading \(file.shownName)")
    if !file.isFormatStated,
      let wrong = WrongFile(file.sample, for: D.self, verb: "import")
    {
      throw wrong.error(file.shownName)
    }
    let imported = try read(as: domain ?? D.domain, line)
    line.begin("checking \(file.shownName)")
    let writer = try RecordWriter<D>(session, isRehearsal: isRehearsal)
    var check = DraftCheck(store: writer.store)
    let records = try check.sorted(imported)
    line.clear()
    let bad = BadRows(file: file.shownName, isSkipping: skipBad, isRehearsal: isRehearsal)
    var refused = WriteResult()
    if isRehearsal { refused.kinds = ImportedKind.count(records) }
    refused.warnings = records.allWarnings
    refused.notes = records.notes
    try bad.refuse(records.faults, after: refused)
    return try bad.leaveOut(records.faults, of: write(records, with: writer, line))
  }

  private func read(as domain: any SyncDomain, _ line: ProgressLine) throws -> ImportedRecords {
    do {
      return try file.records(of: domain) { count in
        line.show("reading \(file.shownName)", done: count, of: file.size, .bytes)
      }
    } catch let error as SyncError where error.code == .inputInvalid || error.code == .usage {
      // A reader that knows the file says best what is wrong with it.
      let isKnown = error.code != .usage && D.recognition(of: file.sample) != nil
      guard !file.isFormatStated, !isKnown,
        let better = WrongFile.explanation(
          file.sample, of: file.shownName, for: "\(D.domain.name) import", instead: error)
      else { throw error }
      throw better
    }
  }

  private func write(
    _ records: ImportedRecords, with writer: RecordWriter<D>, _ line: ProgressLine
  ) throws -> WriteResult {
    let drafts = records.rows.map(\.draft)
    line.begin("importing \(file.shownName)")
    var result =
      try writing?(drafts, writer)
      ?? writer.save(drafts) { done in
        line.show(
          "importing \(file.shownName)", done: done, of: drafts.count, .count("records"))
      }
    line.clear()
    try afterwards?(drafts, writer, &result)
    if writing == nil {
      result.warnings +=
        records.rows.flatMap { row in
          D.concerns(about: row.draft).map { $0.at(row: row.row) }
        }.messages
    }
    // First, as they are few: a person sees only some of the warnings about single rows.
    result.warnings = records.allWarnings + result.warnings
    result.notes = records.notes
    if isRehearsal {
      result.kinds = ImportedKind.count(records, outcomes: result.outcomes, skippingBad: skipBad)
    }
    return result
  }
}

extension ImportedRecords {
  /// What a person should look at in the file as a whole.
  fileprivate var allWarnings: [String] { passedOver.map(\.sentence) + warnings }
}

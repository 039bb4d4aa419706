import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync config validate`.
struct ConfigValidate: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Check the configuration and print every problem.",
    discussion: examples(
      "cloudsync config validate", "cloudsync config validate --config draft.yaml",
      after: "Exit status: 0 valid; 78 not, with one problem per line."))

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) throws {
    let result = try ConfigLoader(context.directoryRequest).read()
    let isValid = result.problems.isEmpty
    context.print(
      Report(
        "cloudsync.config/1",
        [
          "valid": .bool(isValid),
          "files": .array(result.files.map { .string($0) }),
          "problems": .array(result.problems.map { .object($0.record) }),
        ],
        records: "problems",
        table: ReportTable(
          [ReportTable.Column("place"), ReportTable.Column("message"), ReportTable.Column("hint")],
          rows: result.problems.map {
            [
              ReportTable.Cell($0.origin.description), ReportTable.Cell($0.message),
              ReportTable.Cell($0.hint ?? ""),
            ]
          }),
        text: ""))
    guard isValid else { throw failure(result.problems, context.format) }
    let files = result.files.isEmpty ? "no file" : result.files.joined(separator: ", ")
    context.note("the configuration is valid (\(files))")
  }

  /// Prints all problems for people, as a compiler does; a program finds them in the document.
  private func failure(_ problems: [ConfigProblem], _ format: OutputFormat) -> SyncError {
    guard format == .table else { return .invalidConfiguration(problems) }
    return SyncError(.configInvalid, problems.map(\.lines).joined(separator: "\n"))
  }
}

extension ConfigProblem {
  fileprivate var record: JSONObject {
    [
      "origin": .string(origin.description),
      "file": origin.path.map { .string($0) } ?? .null,
      "line": origin.line.map { .int(Int64($0)) } ?? .null,
      "column": origin.column.map { .int(Int64($0)) } ?? .null,
      "message": .string(message),
      "hint": hint.map { .string($0) } ?? .null,
    ]
  }

  fileprivate var lines: String {
    Sanitized.line(description) + (hint.map { "\n  hint: \(Sanitized.line($0))" } ?? "")
  }
}

import CommandFoundation
import SyncKitFormats
import SettingsSync
import SyncKit

/// The result of writing an app's file, or with `--dry-run` the result that it would have.
struct AppliedFile {
  var namespace: String
  var file: AppSettingsFile
  var plan: ApplyPlan
  /// The path of the old file; nil when there was none or nothing was written.
  var backup: String?

  /// Writes the settings that apply into a file: whole or not at all, with the old one kept beside it.
  ///
  /// A folder that is not there is made.
  ///
  /// - Throws: ``SyncError`` `input.missing`, `input.invalid`, `store.io`.
  static func apply(
    _ settings: AppSettings, to file: AppSettingsFile, isForced: Bool, isRehearsal: Bool,
    _ context: CommandContext
  ) throws -> AppliedFile {
    let isMissing = file.isMissing
    let old = isMissing ? [] : try file.bytes(context)
    // A file without a byte is one that an app has yet to write.
    let isNew = isMissing || old.isEmpty && file.path != "-"
    var content = try isNew ? file.empty() : file.parsed(old)
    let plan = try settings.apply(to: &content, source: file.source, isForced: isForced)
    var applied = AppliedFile(namespace: settings.namespace, file: file, plan: plan)
    let new = plan.edits.isEmpty ? old : try content.serialized()
    if isNew, plan.edits.isEmpty {
      if file.path == "-" { context.terminal.output.write(bytes: old) }
      return applied
    }
    // Read back before anything is written: a format may store less of a value than was written.
    let seen = try file.parsed(new)
    if !isRehearsal {
      if file.path == "-" {
        context.terminal.output.write(bytes: new)
      } else if !plan.edits.isEmpty {
        applied.backup = try FileGenerations(file.path).replace(isNew ? nil : old, with: new)
      }
      try settings.noteApplied(plan, file: seen, source: file.source)
    }
    return applied
  }

  var json: JSON {
    let edits = plan.edits.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    func keys(_ wanted: Bool) -> JSON {
      .array(edits.filter { ($0.value == nil) == wanted }.map { .string($0.key) })
    }
    return [
      "namespace": .string(namespace), "path": .string(file.path), "written": keys(false),
      "removed": keys(true), "unseen": .array(plan.unseen.map { .string($0) }),
      "refused": .array(
        plan.refused.map { ["key": .string($0.key), "reason": .string($0.reason)] }),
      "backup": backup.map { .string($0) } ?? .null,
    ]
  }

  static let columns = [
    ReportTable.Column("file", flexible: true), ReportTable.Column("key"),
    ReportTable.Column("value", flexible: true),
  ]

  var rows: [[ReportTable.Cell]] {
    let edits = plan.edits.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return edits.map { key, value in
      let isSecret = value.map { SecretCheck.reason(key: key, value: $0) != nil } ?? false
      let text = isSecret ? "…" : value?.text ?? "(removed)"
      return [ReportTable.Cell(file.path), ReportTable.Cell(key), ReportTable.Cell(text)]
    }
  }
}

extension AppSettingsFile {
  /// A file that does not exist yet.
  fileprivate func empty() throws -> SettingsFile {
    guard let format = formatName.flatMap({ SettingsFormat(name: $0) }) else {
      throw SyncError(
        .inputMissing, "there is no file \(shownName), and its name does not show the format",
        hint: "name the format with --format")
    }
    return SettingsFile(format: format)
  }
}

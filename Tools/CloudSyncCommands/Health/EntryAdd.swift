import ArgumentParser
import CommandFoundation
import HealthRecords
import SyncKit

extension EntryKind: ExpressibleByArgument {}

/// The command `cloudsync health entry add SUBJECT KIND`.
struct EntryAdd: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an entry for a person or pet.",
    discussion: examples(
      "cloudsync health entry add Anna blood '120/80 mmHg'",
      "cloudsync health entry add Anna weight '160 lb' --date 2026-01-15",
      "cloudsync health entry add Rex vaccination Rabies --date 2025-06-01 nextDue=2026-06-01",
      after: """
        The text is what the entry is about: a reading, a medicine with its dosage, a name. A \
        weight needs its unit: kg, g, lb or st. Readings and weights without a date get the \
        current time.
        """))

  @Argument(help: ArgumentHelp("A name, an id, or the start of one.", valueName: "subject"))
  var subject: String
  @Argument(
    help: ArgumentHelp(
      "One of \(EntryKind.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "kind"))
  var kind: EntryKind
  @Argument(
    help: ArgumentHelp("The text, then FIELD=VALUE for other fields.", valueName: "text-or-field"))
  var words: [String] = []
  @Option(
    help: ArgumentHelp("The date: 2026, 2026-01-15, or a day with a time.", valueName: "date"))
  var date: String?
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.health.entry.add/1", isRehearsal: change.dryRun) {
      let writer = try RecordWriter<HealthRegistration>(
        Session(context), isRehearsal: change.dryRun)
      let parent = try writer.store.healthSubject(subject).record.key
      let fields = try fields(now: context.terminal.now())
      return try writer.save([RecordDraft(kind.collection, parent: parent, fields: fields)])
    }
  }

  private func fields(now: Int64) throws -> [FieldName: Value] {
    let type = try HealthRegistration.domain.collection(kind.rawValue)
    let title = words.prefix { FieldAssignment($0) == nil }
    var fields = try FieldAssignment.fields(
      Array(words.dropFirst(title.count)), of: type, isPrivate: true)
    if !title.isEmpty { fields[kind.title] = try value(of: title.joined(separator: " ")) }
    if let date {
      guard kind.hasDate else { throw SyncError(.usage, "entries of \(kind) have no date") }
      fields["date"] = .string(date)
    } else if kind == .weight || kind == .blood, fields["date"] == nil {
      fields["date"] = .string(HealthDate(milliseconds: now / 1000 * 1000).text)
    }
    guard fields.keys.contains(where: { $0 != "date" }) else {
      throw SyncError(.usage, "there is nothing to add", hint: "write a text, FIELD=VALUE, or both")
    }
    return fields
  }

  private func value(of text: String) throws -> Value {
    guard kind == .weight else { return .string(text) }
    guard let kilograms = MassUnit.kilograms(in: text) else {
      throw SyncError(
        .inputInvalid, "the weight needs a number and its unit", hint: "such as '72.5 kg'")
    }
    return .double(kilograms)
  }
}

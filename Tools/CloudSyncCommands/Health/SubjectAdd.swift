import ArgumentParser
import CommandFoundation
import HealthRecords
import SyncKit

/// The command `cloudsync health subject add NAME`.
struct SubjectAdd: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a person or a pet, kept on this device.",
    discussion: examples(
      "cloudsync health subject add 'Anna Schmidt' personalBirthdate=1980-02-29",
      "cloudsync health subject add Rex --pet petBreed=Beagle",
      after: """
        The last word of a person's name is the family name. The records of a new person or pet \
        stay on this device until 'cloudsync health scope' publishes them.
        """))

  @Argument(
    help: ArgumentHelp("The name, then FIELD=VALUE for other fields.", valueName: "name-or-field"))
  var words: [String]
  @Flag(help: "Add a pet instead of a person.")
  var pet = false
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.health.subject.add/1", isRehearsal: change.dryRun) {
      let draft = try draft
      let writer = try RecordWriter<HealthRegistration>(
        Session(context), isRehearsal: change.dryRun)
      return try writer.save([draft])
    }
  }

  private var draft: RecordDraft {
    get throws {
      let type = try HealthRegistration.domain.collection("subject")
      let names = words.prefix { FieldAssignment($0) == nil }
      var fields = try FieldAssignment.fields(
        Array(words.dropFirst(names.count)), of: type, isPrivate: true)
      let parts = names.flatMap { $0.split(whereSeparator: \.isWhitespace) }.map(String.init)
      if pet || fields["isPet"] == true {
        fields["isPet"] = true
        if !parts.isEmpty { fields["personalName"] = .string(parts.joined(separator: " ")) }
      } else if let last = parts.last {
        if parts.count == 1 {
          fields["personalGivenName"] = .string(last)
        } else {
          fields["personalGivenName"] = .string(parts.dropLast().joined(separator: " "))
          fields["personalFamilyName"] = .string(last)
        }
      }
      guard !fields.isEmpty else {
        throw SyncError(.usage, "a name is missing", hint: "write a name, FIELD=VALUE, or both")
      }
      return RecordDraft("subject", fields: fields)
    }
  }
}

import ArgumentParser
import CommandFoundation
import SyncKit

/// The command `cloudsync <domain> set ID FIELD=VALUE…`.
struct RecordSet<D: DomainRegistration>: ContextCommand {
  static var configuration: CommandConfiguration {
    let name = D.domain.name
    return CommandConfiguration(
      commandName: "set", abstract: "Change fields of an existing record.",
      discussion: examples(
        "cloudsync \(name) set \(D.example.id) \(D.example.fields)",
        "cloudsync \(name) set \(D.example.id) \(D.example.fields) --dry-run",
        after: "An empty value, FIELD=, unsets a field."))
  }

  @Argument(help: "The record: ID, or collection/ID.", completion: recordCompletion(D.self))
  var id: String
  @Argument(help: ArgumentHelp("A field and its value.", valueName: "field=value"))
  var fields: [String]
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.\(D.domain.name).set/1", isRehearsal: change.dryRun) {
      let address = try RecordAddress(id, in: D.domain)
      let fields = try FieldAssignment.fields(
        fields, of: address.collection, isPrivate: D.domain.isPrivate,
        typed: D.records.input.typed)
      let writer = try RecordWriter<D>(Session(context), isRehearsal: change.dryRun)
      let record = try address.liveRecord(in: writer.store)
      var result = try writer.edit(record, fields)
      result.warnings =
        D.concerns(
          about: RecordDraft(record.key.collection, id: record.key.id, fields: fields, isNew: false)
        ).messages
      return result
    }
  }
}

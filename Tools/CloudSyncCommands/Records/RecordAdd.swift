import ArgumentParser
import CommandFoundation
import SyncKit

/// The command `cloudsync <domain> add [ID] FIELD=VALUE…`.
struct RecordAdd<D: DomainRegistration>: ContextCommand {
  static var configuration: CommandConfiguration {
    let name = D.domain.name
    return CommandConfiguration(
      commandName: "add", abstract: "Add a record, or change an existing one.",
      discussion: examples(
        "cloudsync \(name) add \(D.example.id) \(D.example.fields)",
        "cloudsync \(name) add \(D.example.id) \(D.example.fields) --dry-run",
        after: """
          Without an id the record gets a new one. Giving the same values again changes nothing. \
          An empty value, FIELD=, unsets a field.
          """))
  }

  @Argument(
    help: ArgumentHelp("The record, then FIELD=VALUE for each field.", valueName: "id-or-field"))
  var words: [String] = []
  @Option(
    help: ArgumentHelp("The collection; by default the first.", valueName: "name"),
    completion: .list(D.domain.schema.collections.map(\.name.text)))
  var collection: String?
  @Option(
    help: ArgumentHelp("The parent record.", valueName: "collection/id"),
    completion: recordCompletion(D.self))
  var parent: String?
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.\(D.domain.name).add/1", isRehearsal: change.dryRun) {
      let writer = try RecordWriter<D>(Session(context), isRehearsal: change.dryRun)
      let draft = try draft(writer.store)
      var result = try writer.save([draft])
      result.warnings = D.concerns(about: draft).messages
      return result
    }
  }

  private func draft(_ store: SyncStore) throws -> RecordDraft {
    var words = words[...]
    var collection =
      try collection.map { try D.domain.collection($0) } ?? D.domain.firstCollection
    var id: RecordID?
    if let first = words.first, FieldAssignment(first) == nil {
      let address = try RecordAddress(first, in: D.domain, collection: self.collection)
      collection = address.collection
      id = address.id
      words = words.dropFirst()
    }
    guard id != nil || !words.isEmpty else {
      throw SyncError(.usage, "there is nothing to add", hint: "write an id, FIELD=VALUE, or both")
    }
    let parent = try parent.map {
      try RecordAddress($0, in: D.domain).liveRecord(in: store).key
    }
    return RecordDraft(
      collection.name, id: id, parent: parent,
      fields: try FieldAssignment.fields(
        Array(words), of: collection, isPrivate: D.domain.isPrivate, typed: D.records.input.typed))
  }
}

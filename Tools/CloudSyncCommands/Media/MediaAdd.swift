import ArgumentParser
import CommandFoundation
import MediaLibrary
import SyncKit

/// The command `cloudsync media add TITLE`.
struct MediaAdd: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a film or series to a list.",
    discussion: examples(
      #"cloudsync media add "The Matrix" --year 1999 --list Weekend"#,
      #"cloudsync media add "Breaking Bad" --tv --tmdb 1396 runtime=47"#,
      after: """
        With a TMDB or IMDb id, two devices that add the same title create one record. Set other \
        fields with FIELD=VALUE; see 'cloudsync media list --help'. Write other collections with \
        --collection, by id and fields.
        """))

  @Argument(
    help: ArgumentHelp(
      "The title, then FIELD=VALUE for other fields.", valueName: "title-or-field"))
  var words: [String]
  @Option(help: ArgumentHelp("The list, by name or id.", valueName: "list")) var list: String?
  @Option(help: "The year of the first release.") var year: Int64?
  @Option(help: "Its TMDB number.") var tmdb: Int64?
  @Option(help: ArgumentHelp("Its IMDb id, such as tt0133093.", valueName: "id"))
  var imdb: String?
  @Flag(help: "Add a series instead of a film.") var tv = false
  @Option(
    help: ArgumentHelp("Add to this collection instead of items.", valueName: "name"),
    completion: .list(DomainSchema.media.collections.map(\.name.text)))
  var collection: String?
  @Option(
    help: ArgumentHelp(
      "With --collection: the record that it belongs to.", valueName: "collection/id"),
    completion: recordCompletion(MediaRegistration.self))
  var parent: String?
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.media.add/1", isRehearsal: change.dryRun) {
      let media = try MediaSession(context, isRehearsal: change.dryRun)
      if let collection { return try addRecord(collection, media) }
      let assignments = words.filter { FieldAssignment($0) != nil && isField($0) }
      let title = words.filter { !assignments.contains($0) }.joined(separator: " ")
      var fields = try FieldAssignment.fields(
        assignments, of: MediaRegistration.domain.collection("item"), isPrivate: false)
      if !title.isEmpty { fields["title"] = .string(title) }
      if let year { fields["year"] = .int(year) }
      if let tmdb { fields["tmdbId"] = .int(tmdb) }
      if let imdb { fields["imdbId"] = .string(imdb) }
      if tv { fields["mediaType"] = "tv" }
      let target = try media.listForAdding(list)
      return try media.write { transaction in
        [
          try transaction.addItem(
            fields, to: target.key, in: media.library, device: media.device
          ).key
        ]
      }
    }
  }

  /// Whether a word sets a field of an item; a title may have an equals sign too.
  private func isField(_ word: String) -> Bool {
    guard let assignment = FieldAssignment(word),
      let item = DomainSchema.media["item"]
    else { return false }
    return item.fieldNames.contains(FieldName(assignment.name))
  }

  /// Writes a record of any collection by its id and fields, as in other domains.
  private func addRecord(_ name: String, _ media: MediaSession) throws -> WriteResult {
    let type = try MediaRegistration.domain.collection(name)
    var words = words[...]
    var id: RecordID?
    if let first = words.first, FieldAssignment(first) == nil {
      id = RecordID(first)
      words = words.dropFirst()
    }
    let parent = try parent.map {
      try RecordAddress($0, in: MediaRegistration.domain).liveRecord(in: media.store).key
    }
    let draft = RecordDraft(
      type.name, id: id, parent: parent,
      fields: try FieldAssignment.fields(
        Array(words), of: type, isPrivate: type.placement == .local))
    return try media.write { [try $0.save(draft).key] }
  }
}

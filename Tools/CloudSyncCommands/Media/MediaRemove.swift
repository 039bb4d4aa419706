import ArgumentParser
import CommandFoundation
import MediaLibrary
import SyncKit

/// The command `cloudsync media rm TITLE`.
struct MediaRemove: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "Remove a film or series from its list, or delete records.",
    discussion: examples(
      "cloudsync media rm The Matrix --dry-run", "cloudsync media rm The Matrix --list Weekend",
      "cloudsync media rm list/weekend",
      after: """
        The words are one title, or the ids of records, all or nothing. What was removed goes from \
        every device; 'cloudsync media restore' or 'cloudsync undo' brings it back.
        """))

  @Argument(
    help: ArgumentHelp(
      "Words of the title, or records: ID or collection/ID.", valueName: "title-or-record"),
    completion: recordCompletion(MediaRegistration.self))
  var words: [String]
  @Option(help: ArgumentHelp("Only in this list, by name or id.", valueName: "list"))
  var list: String?
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.media.rm/1", isRehearsal: change.dryRun) {
      let media = try MediaSession(context, isRehearsal: change.dryRun)
      let writer = try RecordWriter<MediaRegistration>(media.session, isRehearsal: change.dryRun)
      return try writer.delete(keys(media))
    }
  }

  private func keys(_ media: MediaSession) throws -> [RecordKey] {
    // Ids of records have no spaces, and several of them are named one by one.
    guard words.count > 1, list == nil else {
      return [try MediaRecord.find(words, in: list, of: media, inOneList: true).key]
    }
    let named = words.map { word in
      try? RecordAddress(word, in: MediaRegistration.domain).liveRecord(in: media.store).key
    }
    if named.allSatisfy({ $0 == nil }), !words.allSatisfy({ $0.contains("/") }) {
      return [try media.item(words, in: list, inOneList: true).key]
    }
    var keys: [RecordKey] = []
    for word in words {
      let key = try RecordAddress(word, in: MediaRegistration.domain).liveRecord(in: media.store)
        .key
      if !keys.contains(key) { keys.append(key) }
    }
    return keys
  }
}

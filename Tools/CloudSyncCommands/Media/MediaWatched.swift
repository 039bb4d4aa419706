import ArgumentParser
import CommandFoundation
import MediaLibrary
import SyncKit

/// The command `cloudsync media watched TITLE`.
struct MediaWatched: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "watched", abstract: "Record that something was watched.",
    discussion: examples(
      "cloudsync media watched The Matrix",
      "cloudsync media watched The Matrix --on 2026-11-20 --rewatch",
      "cloudsync media watched Breaking Bad --episode S01E02",
      "cloudsync media watched The Matrix --remove --on 2026-11-20",
      after: """
        Each day is an event of its own, so that nothing is lost when a film is watched again. A \
        title that was watched before counts as a rewatch unless --rewatch or --first says \
        otherwise.
        """))

  @OptionGroup var title: MediaTitle
  @Option(help: ArgumentHelp("The day; by default today.", valueName: "date")) var on: Day?
  @Option(
    help: ArgumentHelp("The episode of a series, such as S01E02.", valueName: "episode"))
  var episode: EpisodeNumber?
  @Flag(help: "Count it as a rewatch.") var rewatch = false
  @Flag(help: "Count it as the first time.") var first = false
  @Flag(help: "Remove the event of the day, or all events without --on.") var remove = false
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.media.watched/1", isRehearsal: change.dryRun) {
      let media = try MediaSession(context, isRehearsal: change.dryRun)
      let item = try media.item(title.words, in: title.list)
      if rewatch, first { throw SyncError(.usage, "--rewatch and --first cannot be combined") }
      if remove { return try takeBack(item, media) }
      let day = on ?? media.today
      guard day <= media.today else {
        throw SyncError(.inputInvalid, "\(day) is in the future")
      }
      return try media.write { transaction in
        let written = try transaction.watch(
          item.key, on: day, at: on == nil ? media.now : nil, episode: episode,
          isRewatch: rewatch ? true : first ? false : nil, in: media.library)
        return [written.key, item.key]
      }
    }
  }

  private func takeBack(_ item: Record, _ media: MediaSession) throws -> WriteResult {
    try media.write { transaction in
      let gone = try transaction.unwatch(item.key, on: on, episode: episode, in: media.library)
      if gone == 0, let on {
        throw SyncError(.notFound, "it is not recorded as watched on \(on)")
      }
      return [item.key]
    }
  }
}

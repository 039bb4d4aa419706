import ArgumentParser
import CommandFoundation
import MediaLibrary
import SyncKit

/// The command `cloudsync media rate TITLE RATING`.
struct MediaRate: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "rate", abstract: "Rate a film, a series or an episode.",
    discussion: examples(
      "cloudsync media rate The Matrix 9", "cloudsync media rate The Matrix 4.5/5",
      "cloudsync media rate Breaking Bad 10 --episode S05E14",
      "cloudsync media rate The Matrix none",
      after: """
        A rating has a scale, ten by default, and both are kept as entered. 'none' removes the \
        rating.
        """))

  @OptionGroup var title: MediaTitle
  @Option(
    help: ArgumentHelp("The episode of a series, such as S01E02.", valueName: "episode"))
  var episode: EpisodeNumber?
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.media.rate/1", isRehearsal: change.dryRun) {
      let words = title.words
      guard words.count > 1, let last = words.last else {
        throw SyncError(.usage, "the rating is missing", hint: "write TITLE RATING")
      }
      let rating = last.lowercased() == "none" ? nil : Rating(last)
      guard rating != nil || last.lowercased() == "none" else {
        throw SyncError(
          .inputInvalid, "'\(Sanitized.line(last))' is not a rating",
          hint: "write a number up to 10, one with its scale such as 4.5/5, or none")
      }
      let media = try MediaSession(context, isRehearsal: change.dryRun)
      let place = try media.place(Array(words.dropLast()), in: title.list, episode: episode)
      return try media.write { transaction in
        guard let key = place.episode, let episode else {
          _ = try transaction.rate(place.item.key, rating, at: media.now)
          return [place.item.key]
        }
        if try transaction.record(key)?.isDeleted ?? true {
          try transaction.save(
            RecordDraft(
              "episode", parent: place.item.key,
              fields: ["season": .int(episode.season), "number": .int(episode.number)]))
        }
        _ = try transaction.rate(key, rating, at: media.now)
        return [key]
      }
    }
  }
}

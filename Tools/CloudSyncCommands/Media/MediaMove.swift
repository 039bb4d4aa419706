import ArgumentParser
import CommandFoundation
import MediaLibrary
import SyncKit

/// The command `cloudsync media move TITLE`.
struct MediaMove: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move an item within its list.",
    discussion: examples(
      "cloudsync media move The Matrix --first",
      #"cloudsync media move The Matrix --after "Blade Runner""#,
      "cloudsync media move The Matrix --list Weekend --last",
      after: "Only the moved item is written, so that other devices can move other items meanwhile."
    ))

  @OptionGroup var title: MediaTitle
  @Flag(help: "Move it to the beginning.") var first = false
  @Flag(help: "Move it to the end.") var last = false
  @Option(help: ArgumentHelp("Move it after this item of the same list.", valueName: "title"))
  var after: String?
  @Option(help: ArgumentHelp("Move it before this item of the same list.", valueName: "title"))
  var before: String?
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.media.move/1", isRehearsal: change.dryRun) {
      let places = [first, last, after != nil, before != nil].filter { $0 }
      guard places.count == 1 else {
        throw SyncError(.usage, "say where: one of --first, --last, --after and --before")
      }
      let media = try MediaSession(context, isRehearsal: change.dryRun)
      let item = try media.item(title.words, in: title.list)
      guard let list = item.parent else {
        throw SyncError(.notFound, "the list of the item is not on this device")
      }
      let others = media.library.items(of: list).filter { $0.key != item.key }
      var previous: RecordKey?
      if last { previous = others.last?.key }
      if let after { previous = try media.item([after], in: list.id.text).key }
      if let before {
        let next = try media.item([before], in: list.id.text)
        let index = others.firstIndex { $0.key == next.key } ?? 0
        previous = index > 0 ? others[index - 1].key : nil
      }
      guard previous != item.key else {
        throw SyncError(.usage, "an item cannot be moved next to itself")
      }
      return try media.write { transaction in
        try transaction.move(item.key, behind: previous, in: media.library, device: media.device)
        return [item.key]
      }
    }
  }
}

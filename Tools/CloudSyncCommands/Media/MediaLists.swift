import ArgumentParser
import CommandFoundation
import SyncKitFormats
import MediaLibrary
import SyncKit

/// The command `cloudsync media lists`.
struct MediaLists: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "lists", abstract: "Show lists, add lists, and merge lists of the same name.",
    discussion: examples(
      "cloudsync media lists", "cloudsync media lists --add Weekend",
      "cloudsync media lists --add Presents --local", "cloudsync media lists --fold --dry-run",
      after: """
        The scope says whether a list stays on this device (local) or is on all devices (synced); \
        'cloudsync media scope list/ID local' changes it. --fold merges the lists that have the \
        same name and scope into the oldest one; one undo takes it back.
        """))

  @Option(help: ArgumentHelp("Add a list.", valueName: "name")) var add: [String] = []
  @Flag(help: "With --add: keep it on this device.") var local = false
  @Flag(help: "Merge lists that have the same name.") var fold = false
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    guard !add.isEmpty || fold else { return try show(context) }
    let verb = fold ? "fold" : "add"
    try context.write("cloudsync.media.lists-\(verb)/1", isRehearsal: change.dryRun) {
      guard add.isEmpty || !fold else {
        throw SyncError(.usage, "--add and --fold cannot be combined")
      }
      let media = try MediaSession(context, isRehearsal: change.dryRun)
      return try fold ? foldLists(media) : addLists(media)
    }
  }

  private func addLists(_ media: MediaSession) throws -> WriteResult {
    for name in add where media.library.lists.contains(where: { $0["name"].string == name }) {
      throw SyncError(
        .inputInvalid, "there is already a list '\(Sanitized.line(name))'",
        hint: "'cloudsync media lists --fold' merges lists of the same name")
    }
    var keys: [RecordKey] = []
    let result = try media.write { transaction in
      for name in add {
        keys.append(
          try transaction.addList(named: name, in: media.library, device: media.device))
      }
      return keys
    }
    if local, !media.isRehearsal {
      for key in keys { _ = try media.store.setScope(.local, of: key) }
    }
    return result
  }

  private func foldLists(_ media: MediaSession) throws -> WriteResult {
    let folding = ListFolding(media.library)
    var result = try media.write { transaction in
      try transaction.fold(folding, in: media.library, device: media.device)
      return folding.folds.flatMap { [$0.kept.key] + $0.folded.map(\.key) }
    }
    result.warnings = folding.folds.map { fold in
      "merged \(Plural(fold.folded.count, "other list")) of the same name into"
        + " '\(fold.kept["name"].string ?? "")'"
    }
    return result
  }

  private func show(_ context: CommandContext) throws {
    let media = try MediaSession(context)
    let rows = ListSize.all(of: media.library)
    context.print(
      Report(
        "cloudsync.media.lists/1",
        [
          "lists": .array(rows.map(\.document))
        ],
        records: "lists",
        table: ReportTable(
          [
            ReportTable.Column("name", flexible: true), ReportTable.Column("items", numeric: true),
            ReportTable.Column("watched", numeric: true), ReportTable.Column("scope"),
            ReportTable.Column("id"),
          ],
          rows: rows.map { row in
            [
              ReportTable.Cell(row.list["name"].string ?? ""), ReportTable.Cell(row.items),
              ReportTable.Cell(row.watched),
              ReportTable.Cell(row.list.badge), ReportTable.Cell(row.list.key.id.text),
            ]
          })))
  }
}

/// A list, and how many titles it has.
struct ListSize {
  let list: Record
  let items: Int
  let watched: Int

  /// The lists of a library in their order.
  static func all(of library: LibraryView) -> [ListSize] {
    library.lists.map { list in
      let items = library.items(of: list.key)
      return ListSize(
        list: list, items: items.count, watched: items.count { $0["watched"].bool == true })
    }
  }

  /// As the documents of `media lists` and `media summary` have it.
  var document: JSON {
    var document: JSONObject = [
      "id": .string(list.key.id.text), "name": list["name"].json,
      "scope": .string(list.scope.rawValue), "items": .int(Int64(items)),
      "watched": .int(Int64(watched)), "about": list["about"].json,
    ]
    for (key, value) in list.sharing.members { document[key] = value }
    return .object(document)
  }
}

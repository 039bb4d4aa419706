import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import MediaLibrary
import SyncKit

/// The command `cloudsync media note TITLE`.
struct MediaNote: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "note",
    abstract: "Add a note to a film, a series or an episode, or show its notes.",
    discussion: examples(
      #"cloudsync media note The Matrix --text "Seen with Laura""#,
      #"cloudsync media note The Matrix --private --text "Not for others""#,
      "cloudsync media note The Matrix",
      after: """
        A private note never leaves this device: neither its text, nor its size, nor that it \
        exists. Without --text the notes are shown, private ones marked; '--text -' reads standard \
        input.
        """))

  @OptionGroup var title: MediaTitle
  @Option(help: "The text of the note; - is standard input.") var text: String?
  @Flag(name: .customLong("private"), help: "Keep the note on this device, always.")
  var isPrivate = false
  @Option(
    help: ArgumentHelp("The episode of a series, such as S01E02.", valueName: "episode"))
  var episode: EpisodeNumber?
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    guard let text else { return try show(context) }
    try context.write("cloudsync.media.note/1", isRehearsal: change.dryRun) {
      let media = try MediaSession(context, isRehearsal: change.dryRun)
      let place = try media.place(title.words, in: title.list, episode: episode)
      let content = try text == "-" ? standardInput(context) : text
      return try media.write { transaction in
        if let key = place.episode, let episode, try transaction.record(key)?.isDeleted ?? true {
          try transaction.save(
            RecordDraft(
              "episode", parent: place.item.key,
              fields: ["season": .int(episode.season), "number": .int(episode.number)]))
        }
        return [
          try transaction.note(
            content, on: place.episode ?? place.item.key, isPrivate: isPrivate)
        ]
      }
    }
  }

  private func standardInput(_ context: CommandContext) throws -> String {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try context.terminal.readAll() } catch {
      throw SyncError(.inputMissing, error.description)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw SyncError(.inputInvalid, "standard input is not UTF-8")
    }
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  private func show(_ context: CommandContext) throws {
    let media = try MediaSession(context)
    let place = try media.place(title.words, in: title.list, episode: episode)
    let key = place.episode ?? place.item.key
    let notes =
      media.library.notes(of: key).map { ($0, false) }
      + media.library.privateNotes(of: key).map { ($0, true) }
    let rows = notes.flatMap { note, isPrivate in
      note["text"].shownTexts.map { (note, isPrivate, $0) }
    }
    context.print(
      Report(
        "cloudsync.media.notes/1",
        [
          "record": .string("\(key)"),
          "notes": .array(
            rows.map { note, isPrivate, text in
              [
                "id": .string(note.key.id.text), "text": .string(text),
                "private": .bool(isPrivate),
                "created": .string(Timestamp.format(milliseconds: note.created)),
              ]
            }),
        ],
        records: "notes",
        table: ReportTable(
          [
            ReportTable.Column("created"), ReportTable.Column("private"),
            ReportTable.Column("note", flexible: true),
          ],
          rows: rows.map { note, isPrivate, text in
            [
              ReportTable.Cell(time: note.created), isPrivate ? "private" : "",
              ReportTable.Cell(text),
            ]
          })))
  }
}

extension Value {
  /// A text, or all of several concurrent ones.
  var shownTexts: [String] {
    if case .list(let values) = self { return values.compactMap(\.string) }
    return string.map { [$0] } ?? []
  }
}

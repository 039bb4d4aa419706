import ArgumentParser
import CommandFoundation
import MediaLibrary
import SyncKit

/// The command `cloudsync media show TITLE`.
struct MediaShow: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a film, a series, or any record.",
    discussion: examples(
      "cloudsync media show The Matrix", "cloudsync media show The Matrix --list Weekend",
      "cloudsync media show list/weekend --json"))

  @Argument(
    help: ArgumentHelp(
      "Words of the title, or a record: ID or collection/ID.", valueName: "title-or-record"),
    completion: recordCompletion(MediaRegistration.self))
  var words: [String]
  @Option(help: ArgumentHelp("Only in this list, by name or id.", valueName: "list"))
  var list: String?
  @Flag(help: "Show the record even if it is deleted.") var deleted = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    // A document has no rows of other records, so a record that is named by its id needs no look at the library.
    if context.format == .json, words.count == 1, list == nil {
      let store = try Session(context).store(MediaRegistration.domain.name)
      if let record = try MediaRecord.named(words[0], in: store, includingDeleted: deleted) {
        return show(record, context)
      }
    }
    let media = try MediaSession(context)
    let record = try MediaRecord.find(words, in: list, of: media, includingDeleted: deleted)
    show(record, context, more: history(of: record, media))
  }

  private func show(_ record: Record, _ context: CommandContext, more: [[ReportTable.Cell]] = []) {
    guard let type = DomainSchema.media[record.key.collection] else { return }
    RecordShow<MediaRegistration>.show(
      record, type, context, now: context.terminal.now(), more: more)
  }

  /// Where an item is and what was watched of it, which other records say.
  private func history(of record: Record, _ media: MediaSession) -> [[ReportTable.Cell]] {
    guard record.key.collection == "item" else { return [] }
    var rows: [[ReportTable.Cell]] = []
    if let name = media.name(ofListWith: record) { rows.append(["list", ReportTable.Cell(name)]) }
    let watches = media.library.watches(of: record.key)
    let films = watches.filter { $0["season"].isNull }.compactMap { $0["date"].string }
    if !films.isEmpty {
      rows.append(["seen", ReportTable.Cell(films.suffix(10).joined(separator: ", "))])
    }
    let episodes = media.library.episodes(of: record.key).filter { $0["watched"].bool == true }
    if !episodes.isEmpty { rows.append(["episodes watched", ReportTable.Cell(episodes.count)]) }
    let notes = media.library.notes(of: record.key).count
    if notes > 0 { rows.append(["notes", ReportTable.Cell(notes)]) }
    return rows
  }
}

/// A record of the domain that a person names by its id or, if it is a film or series, by its title.
enum MediaRecord {
  /// - Throws: ``SyncError`` `record.not-found` when there is none, or several titles are possible.
  static func find(
    _ words: [String], in list: String?, of media: MediaSession, includingDeleted: Bool = false,
    inOneList: Bool = false
  ) throws -> Record {
    if words.count == 1, list == nil,
      let record = try named(words[0], in: media.store, includingDeleted: includingDeleted)
    {
      return record
    }
    return try media.item(words, in: list, inOneList: inOneList)
  }

  /// The record that a word names by its id; nil where it may be the word of a title.
  ///
  /// - Throws: ``SyncError`` `record.not-found` for an id that is not there.
  static func named(
    _ word: String, in store: SyncStore, includingDeleted: Bool
  ) throws -> Record? {
    for collection in [nil, "item"] where collection == nil || !word.contains("/") {
      guard
        let address = try? RecordAddress(
          word, in: MediaRegistration.domain, collection: collection),
        let record = try? address.record(in: store)
      else { continue }
      if includingDeleted || !record.isDeleted { return record }
      return try address.liveRecord(in: store)
    }
    guard let slash = word.firstIndex(of: "/"),
      DomainSchema.media[CollectionName(String(word[..<slash]))] != nil
    else { return nil }
    return try RecordAddress(word, in: MediaRegistration.domain).liveRecord(in: store)
  }
}

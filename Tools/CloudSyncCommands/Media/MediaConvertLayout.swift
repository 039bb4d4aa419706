import ArgumentParser
import CommandFoundation
import FileTransport
import SyncKitFormats
import ReadableDocuments
import SyncKit

/// `cloudsync media convert-layout LAYOUT`.
struct MediaConvertLayout: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert-layout",
    abstract: "Convert the folders of this domain to one file, a file for each list, or segments.",
    discussion: examples(
      "cloudsync media convert-layout document",
      "cloudsync media convert-layout lists",
      "cloudsync media convert-layout segments --remote folder",
      "cloudsync media convert-layout document --dry-run --json",
      after: """
        'document' is the file that the app reads and writes, MediaShowsSync/MediaShowsData.json; \
        'lists' is a file of that form for each list, in MediaShowsSync/Lists, for large \
        libraries; 'segments' is what all other domains use. The replaced files are kept in the folder as \
        backup-media-…; records stay as they are. This device's configuration is updated; on the \
        others set domains.media.layout. If a run is interrupted, the next one continues it.
        """))

  @Argument(help: ArgumentHelp("segments, document or lists.", valueName: "layout"))
  var layout: Layout
  @Option(
    help: ArgumentHelp("Only this remote.", valueName: "remote"), completion: remoteCompletion)
  var remote: String?
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  enum Layout: String, ExpressibleByArgument, CaseIterable { case segments, document, lists }

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let domain = "media"
    let lock = try await session.lock(domain, wait: .zero)
    defer { lock.release() }
    let store = try session.store(domain)
    let document = try session.document(of: domain)
    var results: [(name: String, outcome: LayoutConversion.Outcome)] = []
    for place in try folders(session, domain) {
      let known = try store.remote(place.name)
      let identity = RemoteIdentity(
        vault: try store.vault(), isKnown: known.isAttached && known.location == place.url,
        newVault: "", mayWrite: false)
      let name = place.name
      let conversion = LayoutConversion(
        path: place.path, domain: store.domain, document: document,
        base: { try store.heldSegments(on: name) })
      results.append(
        (
          name,
          try await conversion.run(
            to: layout.rawValue, identity, isDryRun: change.dryRun)
        ))
    }
    if !change.dryRun, (session.configuration[domain: domain]?.layout ?? .segments) != configured {
      var file = try ConfigFile(context)
      if !file.exists { try file.set(["version"], to: "1") }
      try file.set(["domains", domain, "layout"], to: layout.rawValue)
      try await file.save()
    }
    report(results, context)
  }

  private var configured: Configuration.Domain.Layout {
    switch layout {
    case .segments: .segments
    case .document: .document
    case .lists: .lists
    }
  }

  private func folders(
    _ session: Session, _ domain: String
  ) throws -> [(name: String, path: String, url: String)] {
    let names = session.remoteNames(of: domain)
    if let remote, !names.contains(remote) {
      throw SyncError.unknownName("remote of '\(domain)'", remote, among: names)
    }
    let chosen = names.filter { $0 == remote ?? $0 }
    if layout != .segments {
      for name in chosen where session.configuration[remote: name]?.isEncrypted == true {
        throw SyncError.noDocuments(on: name, of: domain)
      }
    }
    let places = chosen.compactMap { name in
      session.configuration[remote: name].flatMap { configured in
        if configured.location.type == FileRegistration.scheme,
          let path = configured.location.folder
        {
          (name: name, path: path, url: configured.location.url)
        } else {
          nil
        }
      }
    }
    guard !places.isEmpty else {
      throw SyncError(
        .remoteLayout, "'\(domain)' uses no folder, and only folders have layouts",
        hint: "see 'cloudsync remote list'")
    }
    return places
  }

  private func report(
    _ results: [(name: String, outcome: LayoutConversion.Outcome)], _ context: CommandContext
  ) {
    context.print(
      Report(
        "cloudsync.media.convert-layout/1",
        [
          "layout": .string(layout.rawValue), "dryRun": .bool(change.dryRun),
          "remotes": .array(
            results.map { name, outcome in
              [
                "name": .string(name), "converted": .bool(outcome.isConverted),
                "segments": .int(Int64(outcome.segments)),
                "backup": outcome.backup.map { .string($0) } ?? .null,
              ]
            }),
        ],
        records: "remotes",
        table: ReportTable(
          [
            ReportTable.Column("remote"), ReportTable.Column("converted"),
            ReportTable.Column("segments", numeric: true), ReportTable.Column("backup"),
          ],
          rows: results.map { name, outcome in
            [
              ReportTable.Cell(name), ReportTable.Cell(outcome.isConverted ? "yes" : "no"),
              ReportTable.Cell(outcome.segments), ReportTable.Cell(outcome.backup ?? ""),
            ]
          })))
    for (name, outcome) in results where !outcome.isConverted {
      context.note("'\(name)' already has the layout '\(layout.rawValue)'")
    }
  }
}

import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// `cloudsync diagnose [FILE]`.
struct DiagnoseCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "diagnose",
    abstract: "Collect what somebody needs who helps, without what is private.",
    discussion: examples(
      "cloudsync diagnose --preview", "cloudsync diagnose report.zip",
      after: """
        The file has versions, settings, counts, the findings of 'doctor' and how the last syncs went. It \
        has no record and no token; names of devices and remotes are numbers, and paths, addresses and \
        whatever a message quotes are left out. --preview prints all of it and writes nothing; look at it \
        before you send it. Nothing is ever sent by itself.
        """))

  @Argument(
    help: ArgumentHelp("The file; - for standard output.", valueName: "file"), completion: .file())
  var file: String = "cloudsync-diagnose.zip"
  @Flag(help: "Print what would be in it, and write nothing.")
  var preview = false
  @Flag(help: "Do not ask any remote.")
  var noNetwork = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let bundle = try await DiagnoseBundle(context, asksRemotes: !noNetwork)
    if preview {
      report(bundle, nil, context)
      return
    }
    let bytes = try bundle.archive()
    if file == "-" {
      context.terminal.output.write(bytes: bytes)
      return
    }
    let path = try context.directoryRequest.absolute(file)
    do throws(SystemError) { try LocalFile.replace(path, with: bytes) } catch {
      throw SyncError(error)
    }
    report(bundle, path, context)
    context.note("wrote \(Plural(bytes.count, "byte")) to \(path); look at it before you send it")
  }

  private func report(_ bundle: DiagnoseBundle, _ path: String?, _ context: CommandContext) {
    context.print(
      Report(
        "cloudsync.diagnose/1",
        [
          "file": path.map { .string($0) } ?? .null,
          "entries": .array(
            bundle.entries.map { entry in
              var keys: JSONObject = [
                "name": .string(entry.name), "bytes": .int(Int64(entry.bytes.count)),
              ]
              if preview { keys["content"] = entry.document }
              return .object(keys)
            }),
        ], records: "entries",
        table: ReportTable(
          [ReportTable.Column("name"), ReportTable.Column("bytes", numeric: true)],
          rows: bundle.entries.map {
            [ReportTable.Cell($0.name), ReportTable.Cell($0.bytes.count)]
          }),
        text: preview
          ? bundle.entries.map {
            "\($0.name)\n\(String(decoding: $0.bytes, as: UTF8.self))\n"
          }.joined(separator: "\n") : ""))
  }
}

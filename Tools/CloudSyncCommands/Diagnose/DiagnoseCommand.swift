import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// `cloudsync diagnose [FILE]`.
struct DiagnoseCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "diagnose",
    abstract: "Collect a support report without private data.",
    discussion: examples(
      "cloudsync diagnose --preview", "cloudsync diagnose report.zip",
      after: """
        The report contains versions, settings, counts, the findings of 'doctor' and the results \
        of recent syncs. It contains no record and no token; numbers replace the names of devices \
        and remotes, and paths, addresses and quotations in messages are left out. --preview \
        prints the whole report and writes no file; read it before you send it. cloudsync never \
        sends it for you.
        """))

  @Argument(
    help: ArgumentHelp("The file; - for standard output.", valueName: "file"), completion: .file())
  var file: String = "cloudsync-diagnose.zip"
  @Flag(help: "Print the content of the report and write no file.")
  var preview = false
  @Flag(help: "Do not contact any remote.")
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

import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitServer
import SyncWire

/// `cloudsync server bucket`.
struct ServerBucketCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "bucket",
    abstract: "Show the bucket of a server's large bodies, or name another one.",
    discussion: examples(
      "\(program) server bucket",
      "\(program) server bucket --replace --blobs s3://new-bodies/sync",
      after: """
        The first server that starts with a bucket makes it the bucket of the data; a server with another one does \
        not start (78). To move the bodies, stop the servers, copy all objects, and then say with --replace where they \
        are. Servers with the bucket before store nothing large any more.
        """))

  @Flag(help: "Make the bucket of --blobs or 'server.blobs' that of the server.") var replace =
    false
  @OptionGroup var folder: ServerFolderOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let named = replace ? try folder.bucket(context) : nil
    guard !replace || named != nil else {
      throw SyncError(
        .usage, "no bucket is named", hint: "name it with --blobs or 'server.blobs'")
    }
    let (before, now, outside) = try await folder.work(context, withBucket: false) {
      administration in
      let before = try await administration.knownBucket()
      if let named { try await administration.replaceBucket(by: named.blobs) }
      return (
        before, try await administration.knownBucket(), try await administration.bodiesOutside()
      )
    }
    let isReplaced = replace && before != now
    context.print(
      Report(
        "cloudsync.server.bucket/1",
        [
          "bucket": now.map { .string(Self.address($0)) } ?? .null, "bodies": .int(outside.count),
          "bytes": .int(outside.bytes), "replaced": .bool(isReplaced),
        ],
        table: ReportTable(
          [
            ReportTable.Column("bucket", flexible: true),
            ReportTable.Column("bodies", numeric: true), ReportTable.Column("bytes", numeric: true),
          ],
          rows: [
            [
              ReportTable.Cell(now.map(Self.address) ?? "none"), ReportTable.Cell(outside.count),
              ReportTable.Cell(outside.bytes),
            ]
          ])))
    if isReplaced { context.note("start the servers with the new bucket") }
  }

  /// As an option takes it, without the quotes of a message.
  private static func address(_ location: String) -> String {
    location.hasPrefix("'") && location.hasSuffix("'") && location.utf8.count > 1
      ? String(location.dropFirst().dropLast()) : location
  }
}

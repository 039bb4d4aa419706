import CommandFoundation
import SyncKitFormats

/// Reports a demonstration step by step while it runs, to people or to programs.
struct DemoTeller {
  private let context: CommandContext
  private var listing: Listing
  private var number = 0

  init(_ context: CommandContext) {
    self.context = context
    listing = context.listing(
      "cloudsync.demo/1", records: "steps",
      columns: [
        ReportTable.Column("step", numeric: true), ReportTable.Column("what"),
        ReportTable.Column("result"),
        ReportTable.Column("seconds", numeric: true),
      ])
  }

  /// Runs a step and reports it.
  ///
  /// - Parameters:
  ///   - title: The step, as a sentence.
  ///   - commands: The commands that a person would type for it.
  ///   - body: Runs the step and returns its result in lines.
  /// - Throws: What `body` throws.
  mutating func step(
    _ title: String, _ commands: [String], _ body: () async throws -> String
  ) async throws {
    number += 1
    let step = number
    if context.format == .table {
      write(context.paint("\(step < 10 ? " " : "")\(step)  \(title)", .heading))
      for command in commands { write(context.paint("    $ cloudsync \(command)", .dim)) }
    }
    let clock = ContinuousClock()
    let start = clock.now
    let result = try await body()
    let seconds = Self.seconds(start.duration(to: clock.now))
    guard context.format != .table else {
      let lines = result.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
      return write(lines + context.paint("  (\(seconds) s)", .dim) + "\n")
    }
    let sentence = result.split(separator: "\n").joined(separator: ", ")
    listing.add(
      [
        "step": .int(Int64(step)), "title": .string(title),
        "commands": .array(commands.map { .string("cloudsync \($0)") }),
        "result": .string(sentence), "seconds": .double(seconds),
      ],
      [
        ReportTable.Cell(step), ReportTable.Cell(title), ReportTable.Cell(sentence),
        ReportTable.Cell("\(seconds)"),
      ])
  }

  /// Ends the story with further keys of the document.
  mutating func finish(_ keys: JSONObject) {
    if context.format != .table { listing.finish(keys) }
  }

  private func write(_ line: String) {
    context.terminal.output.write(line + "\n")
    context.terminal.output.flush()
  }

  /// To the millisecond.
  private static func seconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds * 1_000 + attoseconds / 1_000_000_000_000_000) / 1_000
  }
}

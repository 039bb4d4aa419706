import CommandFoundation
import Testing

@testable import CloudSyncCommands

/// How far a long step has come, as a line.
struct ProgressTests {
  private typealias Sample = ProgressText.Sample

  private static let changes = ProgressText("airports: pulling", .count("changes"), total: 100_000)

  @Test func `the first sample has a share, and no pace yet`() {
    let line = Self.changes.line([Sample(at: 0, done: 34_000)])
    #expect(line == "airports: pulling 34% (34000 of 100000 changes)")
  }

  @Test func `later ones have the pace between the first and the last, and the time that is left`()
  {
    let samples = [Sample(at: 0, done: 10_000), Sample(at: 2_000, done: 34_000)]
    #expect(
      Self.changes.line(samples)
        == "airports: pulling 34% (34000 of 100000 changes), 12000/s, 6 s left")
  }

  @Test func `what goes slowly has a pace with a tenth, and minutes left`() {
    let files = ProgressText("media: fetching", .count("files"), total: 1_000)
    let samples = [Sample(at: 0, done: 0), Sample(at: 10_000, done: 25)]
    #expect(
      files.line(samples) == "media: fetching 2% (25 of 1000 files), 2.5/s, 7 min left")
  }

  @Test func `without a total there is neither a share nor an end`() {
    let bytes = ProgressText("reading big.csv", .bytes, total: nil)
    let samples = [Sample(at: 0, done: 0), Sample(at: 4_000, done: 120 << 20)]
    #expect(bytes.line(samples) == "reading big.csv: 120 MiB, 30 MiB/s")
  }

  @Test func `what is done is at 100 percent, however it was counted`() {
    #expect(Self.changes.line([Sample(at: 0, done: 100_000)]).contains("100% (100000 of"))
    #expect(Self.changes.line([Sample(at: 0, done: 120_000)]).contains(" 100% "))
    let samples = [Sample(at: 0, done: 0), Sample(at: 4_000, done: 100_000)]
    #expect(!Self.changes.line(samples).contains("left"))
  }

  @Test func `what stands still has no pace`() {
    let samples = [Sample(at: 0, done: 5), Sample(at: 60_000, done: 5)]
    #expect(Self.changes.line(samples) == "airports: pulling 0% (5 of 100000 changes)")
  }

  @Test func `a narrow terminal cuts the line by what is seen, and leaves its last column free`()
    throws
  {
    var machine = try TestMachine()
    (machine.isTerminal, machine.columns) = (true, 12)
    let context = try machine.context()
    let line = ProgressLine(context)
    machine.clock.advance(by: 500)
    line.show("日本語日本語日本語")
    #expect(context.terminal.error.text == "\r\u{1B}[K日本語日本…")
  }

  @Test func `counts become a line with a pace, and a new step starts from zero`() throws {
    var machine = try TestMachine()
    (machine.isTerminal, machine.columns) = (true, 100)
    let context = try machine.context()
    let line = ProgressLine(context)
    line.show("a: pulling", done: 1_000, of: 10_000, .count("changes"))
    machine.clock.advance(by: 2_000)
    line.show("a: pulling", done: 5_000, of: 10_000, .count("changes"))
    machine.clock.advance(by: 2_000)
    line.show("a: pushing", done: 1, of: 2, .count("changes"))
    line.clear()
    #expect(
      context.terminal.error.text
        == "\r\u{1B}[Ka: pulling 50% (5000 of 10000 changes), 2000/s, 3 s left"
        + "\r\u{1B}[Ka: pushing 50% (1 of 2 changes)\r\u{1B}[K")
  }
}

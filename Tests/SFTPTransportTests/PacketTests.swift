import SyncKitTesting
import Testing

@testable import SFTPTransport

/// Packets are read from bytes that may be anything.
@Suite struct HostilePackets {
  private static let status: [UInt8] =
    [101, 0, 0, 0, 7, 0, 0, 0, 4] + text("no room") + text("en")
  private static let handle: [UInt8] = [102, 0, 0, 0, 1] + text("handle")
  private static let names: [UInt8] =
    [104, 0, 0, 0, 2, 0, 0, 0, 1] + text("a.seg") + text("-rw-r--r-- a.seg")
    + [0, 0, 0, 0xD] + [0, 0, 0, 0, 0, 0, 1, 0] + [0, 0, 0x81, 0xA4] + [0, 0, 0, 1, 0, 0, 0, 2]
  private static let samples = [
    status, handle, names, [103, 0, 0, 0, 3] + text("data"),
    [105, 0, 0, 0, 4, 0x80, 0, 0, 0, 0, 0, 0, 1] + text("x@y") + text("z"),
    [201, 0, 0, 0, 5, 1, 2, 3],
  ]

  private static func text(_ text: String) -> [UInt8] {
    [0, 0, 0, UInt8(text.utf8.count)] + Array(text.utf8)
  }

  @Test func answersAreReadAsTheyAre() throws {
    let status = try SFTPAnswer(Self.status)
    #expect(status.id == 7 && status.content == .status(SFTPStatus(4, "no room")))
    guard case .names(let names) = try SFTPAnswer(Self.names).content else {
      Issue.record("these are names")
      return
    }
    #expect(try names.map { try $0.part() } == ["a.seg"])
    #expect(names.first?.attributes.size == 256)
    #expect(names.first?.attributes.kind == .file)
    #expect(names.first?.attributes.modified == 2)
    #expect(try SFTPAnswer(Self.handle).content == .handle(Array("handle".utf8)))
  }

  @Test func everyCutAnswerIsRefused() {
    for sample in Self.samples.dropLast() {
      // The words of a status, and their language, may be missing.
      for count in 0..<sample.count where !(sample[0] == 101 && (count == 9 || count >= 20)) {
        #expect(throws: SFTPBreach.self) { try SFTPAnswer(Array(sample.prefix(count))) }
      }
    }
  }

  @Test func countsAreNotBelieved() {
    for count: [UInt8] in [[0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0, 1, 0, 0]] {
      for kind: UInt8 in [102, 103, 104] {
        #expect(throws: SFTPBreach.self) { try SFTPAnswer([kind, 0, 0, 0, 1] + count + [1, 2]) }
      }
    }
    #expect(throws: SFTPBreach.self) {
      try SFTPAnswer([102, 0, 0, 0, 1, 0, 0, 1, 1] + [UInt8](repeating: 0, count: 257))
    }
  }

  @Test(arguments: [UInt64(1), 2, 3]) func nothingTraps(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<20_000 {
      var bytes = Self.samples[Int.random(in: 0..<Self.samples.count, using: &random)]
      for _ in 0..<Int.random(in: 0..<6, using: &random) where !bytes.isEmpty {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] =
          random.chance(50)
          ? [0, 1, 0x7F, 0x80, 0xFF][Int.random(in: 0..<5, using: &random)]
          : UInt8(truncatingIfNeeded: random.next())
      }
      if random.chance(30) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
      _ = try? SFTPAnswer.greeting(bytes)
      guard let answer = try? SFTPAnswer(bytes) else { continue }
      if case .names(let names) = answer.content { for name in names { _ = try? name.part() } }
    }
  }

  @Test func packetsAreCutWhateverThePieces() throws {
    let stream: [UInt8] = Self.samples.flatMap { (sample: [UInt8]) -> [UInt8] in
      [0, 0, 0, UInt8(sample.count)] + sample
    }
    for size in 1...stream.count {
      var frames = SFTPFrames()
      var found: [[UInt8]] = []
      for start in stride(from: 0, to: stream.count, by: size) {
        frames.take(stream[start..<min(start + size, stream.count)])
        while let packet = try frames.next() { found.append(packet) }
      }
      #expect(found == Self.samples)
    }
  }

  @Test func giantPacketsAreRefusedBeforeTheyCome() {
    for head: [UInt8] in [[0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0], [0, 5, 0, 0]] {
      var frames = SFTPFrames()
      frames.take(head)
      #expect(throws: SFTPBreach.self) { try frames.next() }
    }
  }

  @Test func namesThatLeadElsewhereAreLeftOut() throws {
    for name in ["", ".", "..", "a/b", "/", "a\u{0}b"] {
      var reader = SFTPReader(Self.text(name) + Self.text("") + [0, 0, 0, 0])
      #expect(try SFTPName(&reader).part() == nil)
    }
  }
}

import NIOCore
import Testing

@testable import SyncKitServer

/// When a connection has had its time.
struct PatienceTests {
  private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

  private func patience() -> ConnectionPatience {
    ConnectionPatience(ConnectionLimits(), now: start)
  }

  private func at(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }

  private func verdict(
    _ patience: inout ConnectionPatience, _ seconds: Int64, waiting: Int = 0, sent: Int = 0,
    isReading: Bool = true
  ) -> ConnectionPatience.Verdict {
    patience.verdict(now: at(seconds), waiting: waiting, sent: sent, isReading: isReading)
  }

  @Test func `a head has ten seconds`() {
    var patience = patience()
    #expect(verdict(&patience, 9) == .wait(until: at(10)))
    #expect(verdict(&patience, 10) == .tooSlow)
  }

  @Test func `a body has ten seconds and one more for each kilobyte`() {
    var patience = patience()
    patience.headCame(now: at(1))
    #expect(verdict(&patience, 10) != .tooSlow)
    #expect(verdict(&patience, 11) == .tooSlow)
    patience.bodyCame(20 << 10)
    #expect(verdict(&patience, 30) != .tooSlow)
    #expect(verdict(&patience, 31) == .tooSlow)
  }

  @Test func `a body that we do not read is not late`() {
    var patience = patience()
    patience.headCame(now: at(1))
    #expect(verdict(&patience, 1_000, isReading: false) != .tooSlow)
  }

  @Test func `our own answer may take as long as it takes`() {
    var patience = patience()
    patience.headCame(now: at(1))
    patience.answerBegan(now: at(2))
    for seconds in stride(from: Int64(3), to: 10_000, by: 500) {
      let found = verdict(&patience, seconds)
      #expect(found != .close && found != .tooSlow, "after \(seconds) s: \(found)")
    }
  }

  @Test func `a client that reads nothing of an answer is dropped after half a minute`() {
    var patience = patience()
    patience.answerBegan(now: at(0))
    #expect(verdict(&patience, 29, waiting: 100, sent: 100) != .close)
    #expect(verdict(&patience, 30, waiting: 100, sent: 100) == .close)
  }

  @Test func `a byte now and then is not taking an answer`() {
    var patience = patience()
    patience.answerBegan(now: at(0))
    #expect(verdict(&patience, 10, waiting: 999_990, sent: 1_000_000) != .close)
    #expect(verdict(&patience, 20, waiting: 999_980, sent: 1_000_000) != .close)
    #expect(verdict(&patience, 30, waiting: 999_970, sent: 1_000_000) == .close)
  }

  @Test func `a steady reader has all the time it needs`() {
    var patience = patience()
    patience.answerBegan(now: at(0))
    var left = 1_000_000
    for seconds in stride(from: Int64(7), to: 600, by: 7) where left > 8_000 {
      left -= 8_000
      #expect(verdict(&patience, seconds, waiting: left, sent: 1_000_000) != .close)
    }
    #expect(left < 400_000)
  }

  @Test func `between two requests there is a minute, and ten seconds from the next byte`() {
    var patience = patience()
    patience.answerEnded(now: at(5))
    #expect(verdict(&patience, 64) == .wait(until: at(65)))
    #expect(verdict(&patience, 65) == .close)
    let first = patience.bytesCame(now: at(66))
    let second = patience.bytesCame(now: at(70))
    #expect(first && !second)
    #expect(verdict(&patience, 75) == .wait(until: at(76)))
    #expect(verdict(&patience, 76) == .tooSlow)
  }
}

import SettingsSync
import Testing

/// When changed settings are flushed.
struct FlushPacerTests {
  @Test func `changes in a row are flushed once, after they have settled`() {
    var pacer = FlushPacer()
    for time in stride(from: Int64(0), through: 400, by: 100) {
      pacer.change(at: time)
      expect(!pacer.flush(at: time))
    }
    #expect(pacer.due == 900)
    expect(pacer.flush(at: 900))
    expect(!pacer.flush(at: 5_000))
  }

  @Test func `a stream of changes that never settles is flushed anyway`() {
    var pacer = FlushPacer(debounce: 500, interval: 1_000, patience: 5_000)
    var flushes: [Int64] = []
    for time in stride(from: Int64(0), through: 20_000, by: 100) {
      pacer.change(at: time)
      if pacer.flush(at: time) { flushes.append(time) }
    }
    #expect(flushes == [5_000, 10_100, 15_200])
    #expect(pacer.due != nil)
  }

  @Test func `before the app goes to the background nothing waits`() {
    var pacer = FlushPacer()
    expect(!pacer.flush(at: 0, isForced: true))
    pacer.change(at: 0)
    expect(pacer.flush(at: 1, isForced: true))
    #expect(pacer.due == nil)
  }

  @Test func `a flush that failed is tried again`() {
    var pacer = FlushPacer()
    pacer.change(at: 0)
    expect(pacer.flush(at: 500))
    pacer.failed(at: 600)
    #expect(pacer.due == 1_500)
  }

  @Test func `no change is ever left behind, whatever the order`() {
    var state: UInt64 = 4_711
    for _ in 0..<200 {
      var pacer = FlushPacer(debounce: 50, interval: 100, patience: 300)
      var time: Int64 = 0
      var unflushed = 0
      for _ in 0..<100 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        time += Int64(state >> 33) % 90
        if state & 1 << 40 == 0 {
          pacer.change(at: time)
          unflushed += 1
        }
        if pacer.flush(at: time) { unflushed = 0 }
        #expect((pacer.due != nil) == (unflushed > 0))
      }
      if let due = pacer.due { expect(pacer.flush(at: due)) }
      #expect(pacer.due == nil)
    }
  }
}

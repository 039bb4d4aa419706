import SyncKitCharts
import Testing

@Test func `a sparkline is as long as its values`() {
  #expect(Sparkline([1, 2, .nan, 8]).text == "▁▂ █")
  #expect(Sparkline([]).text.isEmpty)
  #expect(Sparkline([3, 3]).text == "▄▄")
}

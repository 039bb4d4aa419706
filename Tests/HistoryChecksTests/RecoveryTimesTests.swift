import HistoryChecks
import Testing

struct RecoveryTimesTests {
  private let faults = [
    RecoveryTimes.Fault(start: 100, end: 200), RecoveryTimes.Fault(start: 1_000, end: 1_050),
  ]

  @Test func `a client is without an answer from the fault to its next answer`() {
    let times = RecoveryTimes(
      faults,
      [
        call(1, 80, 90, true), call(1, 95, 130, false), call(1, 140, 150, false),
        call(1, 160, 250, true), call(1, 260, 270, true),
        // The other client was kept for longer, and answered late once more.
        call(2, 110, 120, false), call(2, 210, 300, true), call(2, 1_010, 1_045, true),
      ])
    #expect(times.spans == [190, nil])
    #expect(times.waits == [90, 35])
    #expect(times.unexplained == 0)
  }

  @Test func `what fails long after a fault counts for it, and what fails before all is said`() {
    let times = RecoveryTimes(
      faults,
      [
        call(1, 10, 20, false), call(1, 30, 40, true), call(1, 500, 600, false),
        call(1, 600, 610, true),
        // It was sent to what the second fault then broke.
        call(2, 990, 1_200, false), call(2, 1_210, 1_300, true),
        // It never had an answer again.
        call(3, 1_020, 1_300, false), call(3, 1_310, 1_400, false),
      ])
    #expect(times.spans == [110, 380])
    #expect(times.unexplained == 1)
  }

  private func call(
    _ client: Int, _ start: UInt64, _ end: UInt64, _ wasAnswered: Bool
  ) -> Call<Bool> {
    Call(client: client, start: start, end: end, value: wasAnswered)
  }
}

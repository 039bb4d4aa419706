import SyncKitFormats
import SyncKitTesting
import Testing

@testable import BikeService

/// The sums of rides.
struct LedgerTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `the wear of a span is the sum of the rides that began in it`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let rides = (0..<200).map { index in
      Ride(
        id: "\(index)", gear: random.next() % 5 == 0 ? nil : "b\(random.next() % 3)",
        start: Int64(random.next() % 500), seconds: Int64(random.next() % 10_000),
        metres: Double(random.next() % 100_000), isIndoors: random.next() % 4 == 0)
    }
    let ledger = RideLedger(rides)
    for _ in 0..<100 {
      let (from, to) = (Int64(random.next() % 500), Int64(random.next() % 520))
      let outdoorsOnly = random.next() % 2 == 0
      let wanted = rides.filter {
        $0.gear == "b1" && $0.start >= from && $0.start < to && !(outdoorsOnly && $0.isIndoors)
      }
      let wear = ledger.wear("b1", from: from, to: to, outdoorsOnly: outdoorsOnly)
      #expect(wear.rides == wanted.count)
      #expect(wear.seconds == wanted.reduce(0) { $0 + $1.seconds })
      #expect(wear.metres == wanted.reduce(0) { $0 + $1.metres })
    }
  }

  @Test func `a recording and a service's record of the same ride are one`() {
    let service = Ride(id: "123", gear: nil, start: 60_000, seconds: 3_600, metres: 1)
    let file = Ride(id: "ride-1", gear: "b1", start: 1_000, seconds: 3_500, metres: 2)
    let other = Ride(id: "ride-2", gear: "b1", start: 900_000, seconds: 60, metres: 3)
    let rides = Ride.withoutDoubles([file, service, other])
    #expect(rides.map(\.id) == ["123", "ride-2"])
    #expect(rides[0].gear == "b1")
  }

  @Test func `months are added up, and none is left out`() {
    func ride(_ start: Int64, _ gear: String?) -> Ride {
      Ride(id: "\(start)", gear: gear, start: start, seconds: 1, metres: 1_500)
    }
    // 2023-11-14, 2024-02-01 and a ride of an unknown bike.
    let months = MonthlyDistance(
      [ride(1_700_000_000_000, "b1"), ride(1_706_745_600_000, "old"), ride(1, nil)],
      bike: { $0 == "old" ? "b1" : $0 })
    #expect(months.months == ["2023-11", "2023-12", "2024-01", "2024-02"])
    #expect(months.kilometres == ["b1": [1.5, 0, 0, 1.5]])
  }

  @Test func `the month of a ride is that of the place`() {
    // The evening of 31 October in a place eight hours behind.
    let ride = Ride(id: "1", gear: "b1", start: 1_698_810_000_000, seconds: 1, metres: 1_000)
    #expect(MonthlyDistance([ride], bike: { $0 }).months == ["2023-11"])
    let months = MonthlyDistance([ride], bike: { $0 }) { start in
      String(Timestamp.format(milliseconds: start - 8 * 3_600_000).prefix(7))
    }
    #expect(months.months == ["2023-10"])
  }

  @Test(arguments: [
    (12.04, 1, "12"), (12.05, 1, "12.1"), (-3.5, 1, "-3.5"), (0.005, 2, "0.01"), (7.5, 2, "7.50"),
    (1e300, 1, "-"), (.nan, 0, "-"), (99.5, 0, "100"),
  ])
  func `an amount has as many digits as are useful`(value: Double, digits: Int, text: String) {
    #expect(Amount.number(value, digits: digits) == text)
  }
}

import SyncKit

extension TransportContract {
  /// What a remote keeps of the past beside the snapshots that stand for it.
  static let historyChecks: [ContractCheck<TransportContract>] = [
    ContractCheck(
      "A device that was off for a moment gets the changes, although a snapshot stands for them"
    ) {
      contract in
      let family = try await Family(contract.make(), slack: 1 << 20)
      guard let family else { return }
      let c = try await family.device("c")
      try await family.work(0..<8)
      try await c.sync()
      try await family.work(8..<120)
      // Beside so little room for history a snapshot would be of use.
      let writer = try await family.device("writer", slack: 8 << 10)
      for number in 0..<3 { try await writer.write(number) }
      let there = try await family.inventory()
      try expect(there.contains(where: \.series.isSnapshot), "there is no snapshot")
      try await family.agree(writer, c)
      try expect(try c.store.historyBegins() == nil, "it does not know everything")
      try expect(try c.past == family.a.past, "the histories differ")
    },
    ContractCheck("The oldest changes go when there is no room for them, or after a month") {
      contract in
      let slack = 16 << 10
      let family = try await Family(contract.make(), slack: slack)
      guard let family else { return }
      let (c, d) = (try await family.device("c"), try await family.device("d"))
      try await family.work(0..<8)
      for device in [c, d] { try await device.sync() }
      for start in stride(from: 8, to: 360, by: 32) {
        try await family.work(start..<start + 32)
        try await c.sync()
      }
      try await family.work(360..<368)
      let (changes, live) = try await family.sizes()
      try expect(
        changes < live + slack + slack / 2, "\(changes) bytes of changes beside \(live)")
      try expect(changes > slack / 2, "only \(changes) bytes of changes are left")
      for device in [c, d] { try await family.agree(device) }
      try expect(try c.store.historyBegins() == nil, "a device in step did not get the changes")
      try expect(try c.past == family.a.past, "the histories differ")
      try expect(try d.store.historyBegins() != nil, "nothing has gone")

      family.clock.advance(by: 31 * 86_400_000)
      try await family.work(368..<400)
      let (left, _) = try await family.sizes()
      try expect(left < changes, "nothing has gone after a month")
      let late = try await family.device("late")
      for _ in 0..<2 { try await family.agree(c, late) }
      let quiet = try await family.inventory()
      try await family.agree(c, late)
      try expect(Set(try await family.inventory()) == Set(quiet), "a quiet run has written")
    },
  ]

  /// Devices that keep writing to one remote.
  private struct Family {
    let place: TestRemote
    let slack: Int
    let clock = VirtualClock()
    let a: BusyDevice
    let b: BusyDevice

    /// Nil for a remote that removes nothing.
    init?(_ place: TestRemote, slack: Int) async throws {
      guard try await place.open().removal != .never else { return nil }
      self.place = place
      self.slack = slack
      a = try await Self.device("a", place, clock, slack)
      b = try await Self.device("b", place, clock, slack)
    }

    private static func device(
      _ name: String, _ place: TestRemote, _ clock: VirtualClock, _ slack: Int
    ) async throws -> BusyDevice {
      var history = RemoteHistory()
      (history.slack, history.unseen) = (slack, UInt64(slack) / 8)
      return try await BusyDevice(
        name, place.open(), of: domain, clock: clock, history: history)
    }

    func device(_ name: String, slack: Int? = nil) async throws -> BusyDevice {
      try await Self.device(name, place, clock, slack ?? self.slack)
    }

    func work(_ numbers: Range<Int>) async throws {
      for number in numbers {
        try await a.write(number)
        if number.isMultiple(of: 4) { try await b.write(number + 7) }
      }
    }

    func agree(_ others: BusyDevice...) async throws {
      for _ in 0..<2 { for device in [a, b] + others { try await device.sync() } }
      for device in [b] + others {
        try expect(try device.digests == a.digests, "the devices differ")
        try expect(try device.isSound, "a store is damaged")
      }
    }

    func inventory() async throws -> [SegmentReference] {
      try await place.open().inventory(of: domain).segments
    }

    func sizes() async throws -> (changes: Int, live: Int) {
      let there = try await inventory()
      let size = { (references: [SegmentReference]) in
        references.reduce(0) { $0 + ($1.size ?? 0) }
      }
      return (
        size(there.filter { !$0.series.isSnapshot }), size(there.filter(\.series.isSnapshot))
      )
    }
  }
}

extension BusyDevice {
  /// All batches, as a person may look them up.
  fileprivate var past: [String] {
    get throws {
      try store.history().map { batch in
        "\(batch.id) \(batch.at) "
          + batch.entries.map { "\($0.kind) \($0.key.id) \(String(describing: $0.to))" }
          .joined(separator: ", ")
      }.sorted()
    }
  }
}

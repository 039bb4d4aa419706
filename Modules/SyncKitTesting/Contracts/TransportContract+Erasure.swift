import SyncKit

extension TransportContract {
  private static func vector(_ seq: UInt64) -> VersionVector {
    var vector = VersionVector()
    vector[ReplicaID(high: 5, low: 6)] = Head(seq: seq, hash: ContentHash(high: seq, low: 8))
    return vector
  }

  static let erasureChecks: [ContractCheck<TransportContract>] = [
    ContractCheck("An erased zone is gone for everyone, and nothing else is") { contract in
      let place = try await contract.make()
      guard try await place.open() is any ErasingTransport else { return }
      _ = try await place.open().attach(stranger(), domain: domain)
      let kept = try Author(zone: "kept").segment(1)
      try await put(kept, place.open())
      for number in 1...3 {
        try await put(Author(zone: "gone").segment(UInt64(number)), place.open())
      }
      let replica = ReplicaID(high: 1, low: 2)
      let word = vector(3)
      for _ in 0..<2 {
        try await ForwardingTransport(place.open()).erase(
          "gone", of: domain, confirmedBy: Confirmations([replica: word]))
      }
      let found = try await everything(place.open())
      try expect(found == [kept.segment], "\(found.count) segments are there, one should be")
      let erased = try await place.open().inventory(of: domain).erased
      try expect(
        erased == ["gone": Confirmations([replica: word])], "it says that \(erased) is erased")
    },
    ContractCheck("The replicas that removed an erased zone add up") { contract in
      let place = try await contract.make()
      guard try await place.open() is any ErasingTransport else { return }
      _ = try await place.open().attach(stranger(), domain: domain)
      var said: [ReplicaID: VersionVector] = [:]
      for number in 1...3 {
        let replica = ReplicaID(high: UInt64(number), low: 7)
        let kept = number == 2 ? vector(9) : VersionVector()
        said[replica] = kept
        try await ForwardingTransport(place.open()).erase(
          "never-there", of: domain, confirmedBy: Confirmations([replica: kept]))
      }
      let erased = try await place.open().inventory(of: domain).erased
      try expect(erased == ["never-there": Confirmations(said)], "it says that \(erased) is erased")
      let others = try await place.open().inventory(of: "another").erased
      try expect(others.isEmpty, "another domain gets \(others)")
    },
    ContractCheck("What comes late into an erased zone can be erased again") { contract in
      let place = try await contract.make()
      guard try await place.open() is any ErasingTransport else { return }
      _ = try await place.open().attach(stranger(), domain: domain)
      let replica = ReplicaID(high: 1, low: 2)
      let word = vector(3)
      try await ForwardingTransport(place.open()).erase(
        "gone", of: domain, confirmedBy: Confirmations([replica: word]))
      try? await put(Author(zone: "gone").segment(1), place.open())
      try await ForwardingTransport(place.open()).erase(
        "gone", of: domain, confirmedBy: Confirmations([replica: word]))
      let found = try await everything(place.open())
      try expect(found.isEmpty, "\(found.count) segments are still there")
    },
  ]
}

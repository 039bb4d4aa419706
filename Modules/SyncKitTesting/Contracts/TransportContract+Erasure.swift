import SyncKit

extension TransportContract {
  static let erasureChecks: [ContractCheck<TransportContract>] = [
    ContractCheck("An erased zone is gone for everybody, and nothing else is") { contract in
      let place = try await contract.make()
      _ = try await place.open().attach(stranger(), domain: domain)
      let kept = try Author(zone: "kept").segment(1)
      try await place.open().store(kept)
      for number in 1...3 {
        try await place.open().store(Author(zone: "gone").segment(UInt64(number)))
      }
      let replica = ReplicaID(high: 1, low: 2)
      for _ in 0..<2 {
        try await place.open().erase("gone", of: domain, confirmedBy: [replica])
      }
      let found = try await everything(place.open())
      try expect(found == [kept.segment], "\(found.count) segments are there, one is to be")
      let erased = try await place.open().inventory(of: domain).erased
      try expect(erased == ["gone": [replica]], "it says that \(erased) is erased")
    },
    ContractCheck("Who has removed an erased zone adds up") { contract in
      let place = try await contract.make()
      _ = try await place.open().attach(stranger(), domain: domain)
      let replicas = (1...3).map { ReplicaID(high: UInt64($0), low: 7) }
      for replica in replicas {
        try await place.open().erase("never-there", of: domain, confirmedBy: [replica])
      }
      let erased = try await place.open().inventory(of: domain).erased
      try expect(erased == ["never-there": Set(replicas)], "it says that \(erased) is erased")
      let others = try await place.open().inventory(of: "another").erased
      try expect(others.isEmpty, "another domain is told of \(others)")
    },
    ContractCheck("What comes late into an erased zone can be erased again") { contract in
      let place = try await contract.make()
      _ = try await place.open().attach(stranger(), domain: domain)
      let replica = ReplicaID(high: 1, low: 2)
      try await place.open().erase("gone", of: domain, confirmedBy: [replica])
      try? await place.open().store(Author(zone: "gone").segment(1))
      try await place.open().erase("gone", of: domain, confirmedBy: [replica])
      let found = try await everything(place.open())
      try expect(found.isEmpty, "\(found.count) segments are still there")
    },
  ]
}

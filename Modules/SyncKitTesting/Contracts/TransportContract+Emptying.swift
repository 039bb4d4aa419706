import SyncKit

extension TransportContract {
  static let emptyingChecks: [ContractCheck<TransportContract>] = [
    ContractCheck("Emptying takes what it is given, and all else when nothing is left") {
      contract in
      let place = try await contract.make()
      guard try await place.open() is any EmptyingTransport else { return }
      _ = try await place.open().attach(stranger(), domain: domain)
      for number: UInt64 in 1...3 { try await put(Author().segment(number), place.open()) }
      try await ForwardingTransport(place.open()).erase(
        "gone", of: domain,
        confirmedBy: Confirmations([ReplicaID(high: 1, low: 2): VersionVector()]))
      let listed = try await place.open().inventory(of: domain)
      let late = try Author().segment(4)
      try await put(late, place.open())
      try await ForwardingTransport(place.open()).empty(domain, of: listed)
      let found = try await everything(place.open())
      try expect(found == [late.segment], "\(found.count) segments are there, one should be")
      let erased = try await place.open().inventory(of: domain).erased
      try expect(
        erased.keys.contains("gone"), "what is erased is forgotten while a segment is left")
      for _ in 0..<2 {
        let rest = try await place.open().inventory(of: domain)
        try await ForwardingTransport(place.open()).empty(domain, of: rest)
        let inventory = try await place.open().inventory(of: domain)
        try expect(inventory.segments.isEmpty, "\(inventory.segments.count) segments are left")
        try expect(inventory.erased.isEmpty, "it says that \(inventory.erased) is erased")
      }
      // A mark that has come since the caller looked is still to be learned.
      let before = try await place.open().inventory(of: domain)
      try await ForwardingTransport(place.open()).erase(
        "later", of: domain,
        confirmedBy: Confirmations([ReplicaID(high: 1, low: 2): VersionVector()]))
      try await ForwardingTransport(place.open()).empty(domain, of: before)
      let marks = try await place.open().inventory(of: domain)
      try expect(marks.erased.keys.contains("later"), "a mark is gone that nobody had read")
      try await ForwardingTransport(place.open()).empty(domain, of: marks)
      // The domain can come back.
      _ = try await place.open().attach(
        RemoteIdentity(vault: [vault], isKnown: true, newVault: other), domain: domain)
      try await put(late, place.open())
      let back = try await everything(place.open())
      try expect(back == [late.segment], "\(back.count) segments came back, one should")
    }
  ]
}

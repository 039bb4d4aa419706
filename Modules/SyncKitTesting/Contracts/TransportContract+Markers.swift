import SyncKit

extension TransportContract {
  static let markerChecks: [ContractCheck<TransportContract>] = [
    ContractCheck("A new remote takes the vault of the first device") { contract in
      let place = try await contract.make()
      let first = try await place.open().attach(stranger(), domain: domain)
      try expect(first == [vault], "the first got \(first)")
      let second = try await place.open().attach(stranger(other), domain: domain)
      try expect(second == [vault], "the second, a new device, got \(second)")
    },
    ContractCheck("Attaching again changes nothing") { contract in
      let place = try await contract.make()
      _ = try await place.open().attach(stranger(), domain: domain)
      for _ in 0..<3 {
        let known = RemoteIdentity(vault: [vault], isKnown: true, newVault: other)
        let found = try await place.open().attach(known, domain: domain)
        try expect(found == [vault], "it got \(found)")
      }
    },
    ContractCheck("Another vault's remote is refused, and adopted on request") { contract in
      let place = try await contract.make()
      _ = try await place.open().attach(stranger(), domain: domain)
      var foreign = RemoteIdentity(vault: [other], isKnown: false, newVault: other)
      try await expectRefusal(.remoteVault, "another vault") {
        _ = try await place.open().attach(foreign, domain: domain)
      }
      let after = try await place.open().attach(stranger(other), domain: domain)
      try expect(after == [vault], "the refused one left its mark: \(after)")
      foreign.consent = .adopt
      let both = try await place.open().attach(foreign, domain: domain)
      try expect(both == [vault, other], "adopting gave \(both)")
      let seen = try await place.open().attach(
        RemoteIdentity(vault: [vault], isKnown: true, newVault: other), domain: domain)
      try expect(seen == [vault, other], "the first owner then got \(seen)")
    },
    ContractCheck("A known remote that is empty is refused, and refilled on request") { contract in
      let place = try await contract.make()
      guard let empty = place.empty else { return }
      let transport = try await place.open()
      _ = try await transport.attach(stranger(), domain: domain)
      try await put(Author().segment(1), transport)
      try await empty()
      var known = RemoteIdentity(vault: [vault], isKnown: true, newVault: other)
      try await expectRefusal(.remoteMarker, "a remote that lost its marker") {
        _ = try await place.open().attach(known, domain: domain)
      }
      known.consent = .reinitialise
      let again = try await place.open().attach(known, domain: domain)
      try expect(again == [vault], "filled again it has \(again)")
      try await put(Author().segment(1), place.open())
      let found = try await everything(place.open())
      try expect(found.count == 1, "it holds \(found.count) segments after a store")
    },
  ]
}

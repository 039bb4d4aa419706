import SegmentFormat
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
    },
    ContractCheck("The mark of an encrypted vault goes, and no other one") { contract in
      let place = try await contract.make()
      guard try await place.open() is any EmptyingTransport else { return }
      var identity = stranger()
      (identity.isEncrypted, identity.marker) = (true, sealedVault)
      _ = try await place.open().attach(identity, domain: domain)
      try expect(await refuses(stranger(), place), "it takes plain data while it is encrypted")
      for id in [vault, other] {
        do {
          try await ForwardingTransport(place.open()).removeMark(of: id)
          throw ContractViolation("the id of a plain vault was removed")
        } catch is SyncError {}
      }
      try expect(await refuses(stranger(), place), "it takes plain data while it is encrypted")
      for _ in 0..<2 {
        // The mark is that of the remote, whichever domain asks.
        let transport = try await place.open()
        identity.mayWrite = false
        (identity.isKnown, identity.marker) = (false, nil)
        _ = try await transport.attach(identity, domain: "another")
        try await ForwardingTransport(transport).removeMark(of: sealedVault)
      }
      let vaults = try await place.open().attach(stranger(other), domain: domain)
      try expect(vaults == [vault], "it belongs to \(vaults)")
      // A device that knows it as encrypted does not make it so again.
      var known = RemoteIdentity(vault: [vault], isKnown: true, newVault: other)
      (known.isEncrypted, known.marker) = (true, sealedVault)
      try expect(await refuses(known, place), "a device marks it again without a word")
      _ = try await place.open().attach(stranger(), domain: domain)
    },
  ]

  private static let sealedVault = "0f0e0d0c-0b0a-8908-8706-050403020100"

  private static func refuses(_ identity: RemoteIdentity, _ place: TestRemote) async -> Bool {
    do {
      _ = try await place.open().attach(identity, domain: domain)
      return false
    } catch { return error is SyncError }
  }

  static let replacingChecks: [ContractCheck<TransportContract>] = [
    ContractCheck("A sealed segment takes the place of another one of its name") { contract in
      let place = try await contract.make()
      guard try await place.open() is any ReplacingTransport else { return }
      _ = try await place.open().attach(stranger(), domain: domain)
      let (old, neighbour, new) = (
        try sealed(1, epoch: 1, filledWith: 1), try sealed(2, epoch: 1, filledWith: 3),
        try sealed(1, epoch: 2, filledWith: 2)
      )
      for segment in [old, neighbour] { try await put(segment, place.open()) }
      // Storing does not replace.
      try await put(new, place.open())
      try expect(
        try await everything(place.open()) == [old.segment, neighbour.segment],
        "storing has replaced a segment")
      let listed = try await place.open().inventory(of: domain).segments
      guard let former = listed.first(where: { $0.head == old.segment.info.head }) else {
        throw ContractViolation("a segment is not listed")
      }
      for _ in 0..<2 {
        let transport = try await place.open()
        _ = try await transport.attach(stranger(), domain: domain)
        try await ForwardingTransport(transport).replace(
          [SegmentReplacement(former, with: new)], of: domain)
        let found = try await everything(place.open())
        try expect(
          found == [new.segment, neighbour.segment],
          "\(found.count) segments are there, and not the new one and its neighbour")
      }
      let after = try await place.open().inventory(of: domain).segments
      try expect(after.count == 2, "\(after.count) segments are listed, two should be")
    }
  ]

  /// A sealed segment whose name does not follow from its bytes.
  private static func sealed(
    _ number: UInt64, epoch: UInt64, filledWith byte: UInt8
  ) throws -> OutboundSegment {
    let info = SegmentInfo(
      domain: domain, zone: .home, series: ReplicaID(high: 5, low: 7), first: number, last: number,
      previous: ContentHash(high: 0, low: 0), head: ContentHash(high: number, low: 9),
      base: VersionVector(), operations: 0, deletions: 0, newest: 0,
      seal: SegmentSeal(epoch: epoch, suite: 1))
    let envelope = [UInt8](repeating: byte, count: 200)
    return try .ofVault(DeflateSegmentCoding().sealed(info, envelope: envelope))
  }
}

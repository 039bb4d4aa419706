import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

/// Transports that break one promise each; a contract that passes them would be worth nothing.
enum BrokenTransport: String, CaseIterable, Sendable {
  case givesHalfSegments, listsWhatItCannotGive, writesOver, forgetsItsMarker, adoptsAnybody
  case forgetsStores, hidesSegments, mixesZones, throwsForWhatIsGone, believesNames
  case leavesHalvesAsTheyAre, refillsAnEmptyPlace, keepsWhatIsErased, erasesWithoutAWord
}

@Suite struct TheTransportContractCatches {
  @Test(arguments: BrokenTransport.allCases)
  func aBrokenPromise(_ fault: BrokenTransport) async throws {
    var caught = 0
    for check in TransportContract.checks {
      let contract = TransportContract {
        let blobs = InMemoryBlobStore()
        return TestRemote {
          Broken(blobs: blobs, fault: fault)
        } empty: {
          blobs.files = [:]
        } cut: {
          for (name, bytes) in blobs.files where name.hasSuffix(".seg") {
            blobs.files[name] = Array(bytes.prefix(bytes.count / 2))
          }
        }
      }
      do { try await check(contract) } catch { caught += 1 }
    }
    #expect(caught > 0)
  }
}

private struct Broken: Transport {
  let blobs: InMemoryBlobStore
  let fault: BrokenTransport
  var base: BlobTransport { BlobTransport(blobs) }

  func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    var identity = identity
    switch fault {
    case .adoptsAnybody: identity.consent = .adopt
    case .refillsAnEmptyPlace: identity.isKnown = false
    case .forgetsItsMarker:
      blobs.files = blobs.files.filter { !$0.key.hasPrefix("root-") }
      identity.isKnown = false
    default: break
    }
    return try await base.attach(identity, domain: domain)
  }

  func inventory(of domain: String) async throws -> Inventory {
    var inventory = try await base.inventory(of: domain)
    if fault == .hidesSegments { inventory.segments.removeAll { $0.first > 1 } }
    if fault == .mixesZones {
      for index in inventory.segments.indices { inventory.segments[index].zone = .home }
    }
    return inventory
  }

  func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    switch fault {
    case .givesHalfSegments:
      return try await base.fetch(reference, of: domain).map {
        Segment(info: $0.info, bytes: Array($0.bytes.dropLast($0.bytes.count / 2)))
      }
    case .listsWhatItCannotGive: return nil
    case .believesNames:
      guard let bytes = blobs.files[reference.location] else { return nil }
      let coding = DeflateSegmentCoding()
      return try? coding.read(bytes)
    case .throwsForWhatIsGone:
      guard let found = try await base.fetch(reference, of: domain) else {
        throw SyncError(.remoteIO, "It is gone.")
      }
      return found
    default: return try await base.fetch(reference, of: domain)
    }
  }

  func store(_ segment: OutboundSegment) async throws {
    switch fault {
    case .forgetsStores where segment.segment.info.first > 1: return
    case .leavesHalvesAsTheyAre:
      let names = Set(blobs.files.keys)
      let before = blobs.files
      try await base.store(segment)
      blobs.files.merge(before.filter { names.contains($0.key) }) { $1 }
    case .writesOver:
      let before = Set(blobs.files.keys)
      try await base.store(segment)
      guard Set(blobs.files.keys) == before else { return }
      for name in before where name.contains(segment.segment.info.head.description) {
        blobs.files[name] = segment.segment.bytes
      }
    default: try await base.store(segment)
    }
  }

  func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    let before = blobs.files
    try await base.erase(zone, of: domain, confirmedBy: confirmations)
    switch fault {
    case .keepsWhatIsErased: blobs.files.merge(before) { $1 }
    case .erasesWithoutAWord: blobs.files = blobs.files.filter { before[$0.key] != nil }
    default: break
    }
  }
}

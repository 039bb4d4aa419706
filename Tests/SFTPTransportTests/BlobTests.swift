import RealPlaces
import SFTPTransport
import SegmentFormat
import SyncKit
import Testing

/// Blobs come and go as the protocol of blob stores says.
@Suite struct BlobsOfAServer {
  @Test func aBlobComesBackAsItWasStored() async throws {
    let place = try SFTPPlace()
    let store = place.store()
    for count in [0, 1, 32_768, 32_769, 3 << 20] {
      let bytes = SFTPPlace.bytes(count)
      #expect(try await store.put("airports/a\(count).seg", bytes, replacing: false))
      #expect(place.read("airports/a\(count).seg") == bytes)
      #expect(try await store.get("airports/a\(count).seg", upTo: 4 << 20) == bytes)
    }
    #expect(try await store.get("airports/a3145728.seg", upTo: 100) == SFTPPlace.bytes(100))
    let listing = try await store.list("airports", .tree)
    #expect(Set(listing.blobs.compactMap(\.size)) == [0, 1, 32_768, 32_769, 3 << 20])
    #expect(listing.notes.isEmpty)
    #expect(place.files().count == 5)
  }

  @Test(arguments: [OpenSSHServer.Variant.inside, .plain])
  func aNameThatIsTakenIsReplacedOnlyOnRequest(_ variant: OpenSSHServer.Variant) async throws {
    let place = try SFTPPlace(variant)
    let store = place.store()
    // Twice, since the server's abilities are known the second time.
    for name in ["a/one.seg", "a/two.seg"] {
      #expect(try await store.put(name, [1], replacing: false))
      #expect(try await !store.put(name, [2], replacing: false))
      #expect(place.read(name) == [1])
      #expect(try await store.put(name, [3, 3], replacing: true))
      #expect(place.read(name) == [3, 3])
    }
    #expect(place.files() == ["a/one.seg", "a/two.seg"])
  }

  @Test(arguments: [OpenSSHServer.Variant.inside, .plain])
  func ofManyWritersOfAFreeNameOneWins(_ variant: OpenSSHServer.Variant) async throws {
    let place = try SFTPPlace(variant)
    let stores = (0..<6).map { _ in place.store() }
    let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
      for (number, store) in stores.enumerated() {
        group.addTask {
          try await store.put("a/name.seg", [UInt8(number)], replacing: false)
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(wins == 1)
    #expect(place.files() == ["a/name.seg"])
  }

  @Test func whatIsNotThereIsNilAndCanBeRemoved() async throws {
    let place = try SFTPPlace()
    let store = place.store()
    #expect(try await store.get("airports/a.seg", upTo: 10) == nil)
    #expect(try await store.list("airports", .tree).blobs.isEmpty)
    try await store.delete("airports/a.seg")
    try await store.deleteEmpty("airports")
    _ = try await store.put("airports/a.seg", [1], replacing: false)
    try await store.delete("airports/a.seg")
    #expect(place.files().isEmpty)
  }

  @Test func aFolderThatGoesAwayIsMadeAgain() async throws {
    let place = try SFTPPlace()
    let store = place.store()
    _ = try await store.put("airports/a.seg", [1], replacing: false)
    place.run("rm -r airports")
    #expect(try await store.put("airports/b.seg", [2], replacing: false))
    #expect(place.files() == ["airports/b.seg"])
  }

  @Test func theFolderIsMadeOnceAndOnlyWhereItsParentIs() async throws {
    let place = try SFTPPlace()
    place.run("rmdir '\(place.server.folder)'")
    #expect(await code { try await place.store().prepare(creating: true) } == .remoteUnavailable)
    #expect(
      await code { try await place.store(making: true).prepare(creating: false) }
        == .remoteUnavailable)
    try await place.store(making: true).prepare(creating: true)
    try await place.store().prepare(creating: false)
    let lost = SFTPBlobStore(
      server: place.connect(), path: "\(place.server.folder)/x/y", createIfParentExists: true)
    #expect(await code { try await lost.prepare(creating: true) } == .remoteUnavailable)
    #expect(await code { _ = try await lost.list("", .folder) } == .remoteUnavailable)
    #expect(await code { _ = try await lost.list("airports", .tree) } == .remoteUnavailable)
    #expect(await code { _ = try await lost.get("airports/a", upTo: 9) } == .remoteUnavailable)
    #expect(
      await code { _ = try await lost.put("airports/a", [], replacing: false) }
        == .remoteUnavailable)
  }

  @Test func aTrialLeavesNothingBehind() async throws {
    let place = try SFTPPlace()
    let store = place.store()
    try await store.tryPutting(100_000, in: "airports")
    try await store.tryPutting(0, in: "airports")
    _ = try await store.put("airports/a.seg", [1], replacing: false)
    try await store.tryPutting(100_000, in: "airports")
    #expect(place.files() == ["airports/a.seg"])
    place.run("rm -r airports; touch airports")
    #expect(await code { try await store.tryPutting(0, in: "airports") } == .remoteObstructed)
  }

  @Test func manyNamesAndManyFoldersAreListed() async throws {
    let place = try SFTPPlace()
    place.run("mkdir -p a/b/c a/d && touch a/b/c/deep $(seq -f 'a/d/%.0f' 1 2500)")
    place.run("mkdir -p a/1/2/3/4/5/6/7/8 && touch a/1/2/3/4/5/6/7/8/far")
    let listing = try await place.store().list("a", .tree)
    #expect(listing.blobs.count == 2_501)
    #expect(listing.notes.count == 1 && listing.notes.first?.contains("nested too deeply") == true)
    let flat = try await place.store().list("a", .folder)
    #expect(flat.blobs.isEmpty && Set(flat.folders) == ["a/1", "a/b", "a/d"])
  }

  @Test func anEmptiedFolderGoesWithWhatACrashLeft() async throws {
    let place = try SFTPPlace()
    place.write("a/zone/.tmp-aaaaaaaaaaaaa", [1])
    place.write("b/zone/else", [1])
    try await place.store().deleteEmpty("a")
    try await place.store().deleteEmpty("b")
    #expect(place.files() == ["b/zone/else"])
    #expect(place.run("test -e a") != 0)
  }

  @Test func unfinishedFilesOfOursGoAfterADay() async throws {
    let place = try SFTPPlace()
    let names = [".tmp-aaaaaaaaaaaaa", ".tmp-bbbbbbbbbbbba", ".tmp-notes"]
    for name in names { place.write("a/\(name)", [1]) }
    place.run("touch -d '2 days ago' 'a/\(names[1])' 'a/\(names[2])'")
    let store = place.store()
    #expect(try await store.list("a", .tree).blobs.isEmpty)
    // Requests are answered in turn.
    _ = try await store.get("a/else", upTo: 1)
    #expect(place.files() == ["a/\(names[0])", "a/\(names[2])"])
  }
}

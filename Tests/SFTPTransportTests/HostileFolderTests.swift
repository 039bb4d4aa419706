import SFTPTransport
import SegmentFormat
import SyncKit
import Testing

/// What lies in a remote's folder may come from anybody who can write there.
@Suite struct HostileFolders {
  @Test func linksAndPipesAreNeverFollowed() async throws {
    let place = try SFTPPlace()
    let store = place.store()
    place.write("secret", [7])
    place.run("mkdir a && ln -s ../secret a/link && mkfifo a/pipe && ln -s .. a/up")
    #expect(try await store.get("a/link", upTo: 10) == nil)
    #expect(try await store.get("a/pipe", upTo: 10) == nil)
    #expect(try await store.get("a/up/secret", upTo: 10) == nil)
    let listing = try await store.list("a", .tree)
    #expect(listing.blobs.isEmpty)
    #expect(listing.notes.count == 2)
    #expect(listing.notes.contains("'a/pipe' is not a regular file."))
    #expect(listing.notes.contains { $0.hasSuffix("is a link and is ignored (and 1 more).") })
  }

  @Test func nothingIsWrittenThroughALink() async throws {
    let place = try SFTPPlace()
    let store = place.store()
    place.run("mkdir elsewhere && ln -s elsewhere a")
    for attempt in [
      { _ = try await store.put("a/b.seg", [1], replacing: false) },
      { try await store.tryPutting(0, in: "a") }, { try await store.tryPutting(9, in: "a") },
    ] {
      #expect(await code(attempt) == .remoteObstructed)
    }
    place.write("elsewhere/kept", [1])
    try await store.delete("a/kept")
    try await store.deleteEmpty("a")
    #expect(try await store.list("a", .tree).blobs.isEmpty)
    #expect(place.files() == ["elsewhere/kept"])
  }

  @Test func namesThatLeadElsewhereAreRefused() async throws {
    let place = try SFTPPlace()
    let store = place.store()
    place.run("touch ../outside")
    for name in ["../outside", "a/../../outside", "/etc/passwd", "a//b", ".", ""] {
      #expect(try await store.get(name, upTo: 10) == nil)
      #expect(await code { _ = try await store.put(name, [1], replacing: true) } == .bug)
      try await store.delete(name)
    }
    #expect(place.run("test -e ../outside") == 0)
  }

  @Test func namesThatAreNoTextAreNoted() async throws {
    let place = try SFTPPlace()
    place.run("mkdir a && touch \"$(printf 'a/\\377')\" a/b")
    let listing = try await place.store().list("a", .tree)
    #expect(listing.blobs.map(\.name) == ["a/b"])
    #expect(listing.notes == ["'a' has names that are not UTF-8."])
  }
}

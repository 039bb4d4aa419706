import FaultyNetwork
import RealPlaces
import SegmentFormat
import SyncKit
import SyncKitHTTP
import Testing

@testable import S3Transport

/// How blobs are listed and read.
@Suite struct Reading {
  @Test(arguments: S3Place.Kind.allCases)
  func `a listing of several pages is complete`(kind: S3Place.Kind) async throws {
    let place = try S3Place(kind)
    let log = RequestLog()
    let store = try place.store(place.bucket("many things"), log)
    let names = (0..<2_500).map { "notes/zone\($0 % 7)/\(10_000 + $0).seg" }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for part in 0..<4 {
        group.addTask {
          for name in names[(part * 625)..<((part + 1) * 625)] {
            _ = try await store.put(name, Array(name.utf8), replacing: true)
          }
        }
      }
      try await group.waitForAll()
    }
    log.forget()
    let tree = try await store.list("notes", .tree)
    #expect(Set(tree.blobs.map(\.name)) == Set(names))
    #expect(tree.blobs.allSatisfy { $0.size == $0.name.utf8.count })
    // A page that a busy service is slow to answer is asked for again.
    #expect(Set(log.requests.map(\.path)).count == 3)
    #expect(tree.notes.isEmpty)
    let top = try await store.list("", .folder)
    #expect(top.folders == ["notes"])
    #expect(top.blobs.isEmpty)
    let zones = try await store.list("notes", .folder)
    #expect(zones.folders.sorted() == (0..<7).map { "notes/zone\($0)" })
    #expect(try await store.list("not", .tree).blobs.isEmpty)
  }

  @Test(arguments: S3Place.Kind.allCases)
  func `reading has a limit, and what is missing is nothing`(kind: S3Place.Kind) async throws {
    let place = try S3Place(kind)
    let store = try place.store(place.bucket("some"))
    let bytes = Array("0123456789".utf8)
    _ = try await store.put("notes/a", bytes, replacing: true)
    _ = try await store.put("notes/empty", [], replacing: true)
    #expect(try await store.get("notes/a", upTo: 4) == Array("0123".utf8))
    #expect(try await store.get("notes/a", upTo: 10) == bytes)
    #expect(try await store.get("notes/a", upTo: 11) == bytes)
    #expect(try await store.get("notes/a", upTo: 1 << 28) == bytes)
    #expect(try await store.get("notes/empty", upTo: 10) == [])
    #expect(try await store.get("notes/b", upTo: 10) == nil)
    #expect(try await store.get("notes/../notes/a", upTo: 10) == nil)
    try await store.delete("notes/b")
    try await store.delete("notes/a")
    #expect(try await store.get("notes/a", upTo: 10) == nil)
  }

  @Test func `half an answer is no blob`() async throws {
    let store = try PlayedService.store { _ in
      CarriedAnswer(status: 200, headers: [("Content-Length", "9")], body: [1, 2])
    }
    let error = try await #require(throws: SyncError.self) {
      _ = try await store.get("notes/a", upTo: 100)
    }
    #expect(error.code == .remoteUnread)
  }
}

/// Listings of services that mean harm, or have ways of their own.
@Suite struct HostileListings {
  private func listing(
    _ content: String, _ folder: String = "notes", _ reach: BlobReach = .tree
  ) async throws -> BlobListing {
    try await PlayedService.store { _ in PlayedService.listing(content) }.list(folder, reach)
  }

  private func object(_ key: String) -> String {
    "<Contents><Key>\(key)</Key><Size>9</Size></Contents>"
  }

  @Test func `names that lead elsewhere are passed over`() async throws {
    let keys = [
      "p/notes/good", "notes/a", "p/other/a", "p/notes/../../a", "p/notes/a%00b", "p/notes//a",
      "p/notes/./a", "/etc/passwd", "p/notesx", "p/notes/a%0Ab", "p/notes/%FF",
      "p/notes/" + String(repeating: "a", count: 2_000),
    ]
    let found = try await listing(
      "<EncodingType>url</EncodingType>" + keys.map(object).joined())
    #expect(found.blobs.map(\.name) == ["notes/good"])
    #expect(found.notes.count == 1)
    #expect(found.notes.first?.contains("10 more") == true, "\(found.notes)")
  }

  @Test func `a folder without its slash, and one of a console, are what they are`() async throws {
    let found = try await listing(
      "<CommonPrefixes><Prefix>p/b</Prefix></CommonPrefixes>"
        + "<CommonPrefixes><Prefix>p/c/</Prefix></CommonPrefixes>"
        + "<Contents><Key>p/</Key><Size>0</Size></Contents>" + object("p/a+b%20"), "", .folder)
    #expect(found.folders == ["b", "c"])
    // Without the word that they are escaped, keys are taken as they stand.
    #expect(found.blobs.map(\.name) == ["a+b%20"])
    #expect(found.notes.isEmpty)
  }

  @Test func `keys that are escaped without a word are read as such`() async throws {
    let found = try await listing(
      ["p%2Fnotes%2Fz%2Fa.seg", "p%2Fnotes%2Fb%252Fc", "p%2Fother%2Fa"].map(object).joined())
    #expect(found.blobs.map(\.name) == ["notes/z/a.seg", "notes/b%2Fc"])
    #expect(found.notes.count == 1)
    // The slashes may be left, and the prefix tells.
    var names = ListedNames(below: "my p/notes/", prefix: "my p", .tree)
    for key in ["my%20p/notes/a.seg", "my+p/notes/a.seg"] {
      let body = Array("<ListBucketResult>\(object(key))</ListBucketResult>".utf8)
      names.take(try #require(ListPage(body, below: "my p/notes/")))
    }
    #expect(names.listing.blobs.map(\.name) == ["notes/a.seg"])
    #expect(names.notes.isEmpty)
    // At the top of a bucket there is no prefix, and folders tell.
    let store = try PlayedService.store(S3Bucket("books")) { _ in
      PlayedService.listing("<CommonPrefixes><Prefix>notes%2F</Prefix></CommonPrefixes>")
    }
    #expect(try await store.list("", .folder).folders == ["notes"])
  }

  @Test func `keys that can be read in two ways are taken as they stand`() async throws {
    // One of them is no key below the prefix if the others are escaped.
    let mixed = try await listing(object("p/notes/a%20b") + object("p%2Fnotes%2Fc"))
    #expect(mixed.blobs.map(\.name) == ["notes/a%20b"])
    #expect(mixed.notes.count == 1)
    let literal = try S3Bucket("books", prefix: "p%2Fq")
    let store = try PlayedService.store(literal) { _ in
      PlayedService.listing(self.object("p%2Fq/notes/a%2Bb"))
    }
    #expect(try await store.list("notes", .tree).blobs.map(\.name) == ["notes/a%2Bb"])
  }

  @Test func `a name that comes twice counts once`() async throws {
    let found = try await listing(object("p/notes/a") + object("p/notes/a"))
    #expect(found.blobs.count == 1)
  }

  @Test func `a listing without an end ends`() async throws {
    let log = RequestLog()
    let store = try PlayedService.store(nil, log) { _ in
      PlayedService.listing(
        "<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>")
    }
    let error = try await #require(throws: SyncError.self) {
      _ = try await store.list("notes", .tree)
    }
    #expect(error.code == .remoteForeign)
    #expect(log.methods.count == 2)
  }

  @Test func `a listing without tokens goes on behind its last name`() async throws {
    let log = RequestLog()
    let store = try PlayedService.store(nil, log) { request in
      let isFirst = !request.path.contains("start-after=")
      return PlayedService.listing(
        isFirst
          ? object("p/notes/b") + object("p/notes/a") + "<IsTruncated>true</IsTruncated>"
          : object("p/notes/c") + "<IsTruncated>false</IsTruncated>")
    }
    let found = try await store.list("notes", .tree)
    #expect(found.blobs.map(\.name).sorted() == ["notes/a", "notes/b", "notes/c"])
    #expect(log.requests.last?.path.contains("start-after=p%2Fnotes%2Fb") == true)
    // One that gives the same page again has no end.
    let stuck = try PlayedService.store { _ in
      PlayedService.listing(object("p/notes/a") + "<IsTruncated>true</IsTruncated>")
    }
    await #expect(throws: SyncError.self) { _ = try await stuck.list("notes", .tree) }
  }

  @Test func `entities and broken XML are refused`() async throws {
    for body in [
      "<!DOCTYPE a [<!ENTITY x \"y\">]><ListBucketResult>&x;</ListBucketResult>",
      "<ListBucketResult><Contents>", "", "{}",
    ] {
      let store = try PlayedService.store { _ in
        CarriedAnswer(status: 200, body: Array(body.utf8))
      }
      let error = try await #require(throws: SyncError.self) {
        _ = try await store.list("notes", .tree)
      }
      #expect(error.code == .remoteForeign)
    }
  }
}

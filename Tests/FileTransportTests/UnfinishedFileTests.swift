import FileTransport
import SegmentFormat
import SyncKit
import Testing

/// Files arrive late, in parts, or as a promise; until they are whole they are not here.
@Suite struct UnfinishedFiles {
  @Test func aSegmentThatArrivesInPartsIsReadWhenItIsWhole() async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    try await remote.attach()
    let (segment, name) = try await remote.store()
    for length in stride(from: 0, to: segment.bytes.count, by: 23) {
      try remote.write(name, Array(segment.bytes.prefix(length)))
      let found = try await remote.everything()
      #expect(found.segments.isEmpty)
      #expect(found.notes.isEmpty)
    }
    try remote.write(name, segment.bytes)
    #expect(try await remote.everything().segments == [segment])
  }

  @Test func theSizeThatIsOfferedIsTheOneThatLiesThere() async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    try await remote.attach()
    let (segment, name) = try await remote.store()
    try remote.write(name, Array(segment.bytes.prefix(100)))
    let offers = try await remote.transport.inventory(of: RemoteFolder.domain).segments
    #expect(offers.map(\.size) == [100])
  }

  @Test func halfAConflictCopyIsNotHere() async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    try await remote.attach()
    let (segment, name) = try await remote.store()
    for length in stride(from: 1, to: segment.bytes.count, by: 31) {
      try remote.write(name + " 2", Array(segment.bytes.prefix(length)))
      #expect(try await remote.everything().segments == [segment])
    }
  }

  @Test func aDamagedSegmentIsMadeWholeByWhoeverStoresIt() async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    try await remote.attach()
    let (segment, name) = try await remote.store()
    for damage in [[], Array(segment.bytes.dropLast(9)), segment.bytes.map { $0 ^ 1 }] {
      try remote.write(name, damage)
      #expect(try await remote.everything().segments.isEmpty)
      try await remote.transport.store(RemoteFolder.release(segment))
      #expect(try await remote.everything().segments == [segment])
    }
  }

  @Test func aPlaceholderIsNotHereYet() async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    try await remote.attach()
    let (segment, name) = try await remote.store()
    let file = try #require(name.split(separator: "/").last)
    let hidden = name.replacing(file, with: ".\(file).icloud")
    remote.run("mv '\(name)' '\(hidden)'; printf bplist00 > '\(hidden)'")
    let found = try await remote.everything()
    #expect(found.segments.isEmpty)
    #expect(found.notes == ["'\(hidden)' is not here yet."])
    // It is known what will be here, so it is awaited and not just missing.
    let offers = try await remote.transport.inventory(of: RemoteFolder.domain).segments
    #expect(offers.map(\.head) == [segment.info.head] && offers.map(\.size) == [nil])
    try remote.write(name, segment.bytes)
    #expect(try await remote.everything().segments == [segment])
  }

  @Test func unfinishedFilesOfOursAreNobodysBusiness() async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    try await remote.attach()
    let (segment, name) = try await remote.store()
    let folder = name.dropLast(name.split(separator: "/").last?.count ?? 0)
    let fresh = "\(folder).tmp-aaaaaaaaaaaaa"
    let stale = "\(folder).tmp-bbbbbbbbbbbba"
    let foreign = "\(folder).tmp-notes"
    for file in [fresh, stale, foreign] { try remote.write(file, segment.bytes) }
    remote.run("touch -d '2 days ago' '\(stale)' '\(foreign)'")
    let found = try await remote.everything()
    #expect(found.segments == [segment])
    #expect(found.notes.isEmpty)
    let files = remote.files()
    #expect(files.contains(fresh) && files.contains(foreign))
    #expect(!files.contains(stale))
  }

  @Test func aWriteLeavesNothingUnfinishedBehind() async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    try await remote.attach()
    let (segment, _) = try await remote.store()
    try await remote.transport.store(RemoteFolder.release(segment))
    #expect(remote.files().count == 3)
  }
}

import FileTransport
import SegmentFormat
import SyncKit
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Whatever lies in the folder: nothing hangs, nothing is read from outside, the rest is read.
@Suite struct HostileFolders {
  let remote: RemoteFolder

  init() throws { remote = try RemoteFolder() }

  /// Runs a command in a place that holds one good segment, and says what is read.
  private func found(
    _ command: (_ name: String) -> String
  ) async throws -> (
    isGood: Bool, notes: [String]
  ) {
    try await remote.attach()
    let (segment, name) = try await remote.store()
    remote.run(command(name))
    let found = try await remote.everything()
    let isGood = found.segments == [segment]
    remote.remove()
    return (isGood, found.notes)
  }

  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      "mkfifo airports/home/pipe.seg", "ln -s ../../.. airports/home/loop",
      "ln -s /etc airports/etc", "ln -s /etc/passwd airports/passwd.seg",
      "ln -s nowhere airports/broken", "ln -s airports/home airports/again",
      "ln -s /dev/zero airports/zero.seg", "ln -s loop airports/loop",
    ])
  func linksAndPipesArePassedOver(command: String) async throws {
    let found = try await found { _ in command }
    #expect(found.isGood)
    #expect(found.notes.count == 1)
  }

  @Test func aLinkInTheOriginalsPlaceIsNotHereAndIsReplaced() async throws {
    defer { remote.remove() }
    try await remote.attach()
    let (segment, name) = try await remote.store()
    remote.run("mv '\(name)' outside && ln -s '\(remote.path)/outside' '\(name)'")
    #expect(try await remote.everything().segments.isEmpty)
    try await remote.transport.store(RemoteFolder.release(segment))
    #expect(try await remote.everything().segments == [segment])
    #expect(try remote.read("outside") == segment.bytes)
  }

  @Test(.timeLimit(.minutes(10))) func aPipeInTheOriginalsPlaceIsReplaced() async throws {
    defer { remote.remove() }
    try await remote.attach()
    let (segment, name) = try await remote.store()
    remote.run("rm '\(name)' && mkfifo '\(name)'")
    #expect(try await remote.everything().segments.isEmpty)
    try await remote.transport.store(RemoteFolder.release(segment))
    #expect(try await remote.everything().segments == [segment])
  }

  @Test func aFolderWithASegmentsNameIsNamed() async throws {
    try await remote.attach()
    let (segment, name) = try await remote.store()
    remote.run("rm '\(name)' && mkdir '\(name)'")
    let found = try await remote.everything()
    #expect(found.segments.isEmpty)
    #expect(found.notes == ["'\(name)' is a folder with the name of a segment."])
    await #expect(throws: SyncError.self) {
      try await remote.transport.store(RemoteFolder.release(segment))
    }
    remote.remove()
  }

  @Test func aDomainsFolderThatIsALinkIsNotFollowed() async throws {
    defer { remote.remove() }
    try await remote.attach()
    remote.run("mkdir elsewhere && ln -s elsewhere airports")
    await #expect(throws: SyncError.self) { _ = try await remote.store() }
    #expect(try await !remote.everything().notes.isEmpty)
    #expect(remote.files(in: "elsewhere").isEmpty)
  }

  @Test func aFileOfATerabyteIsNotRead() async throws {
    let found = try await found { _ in
      "truncate -s 1T airports/huge.seg && truncate -s 1T airports/home/huge"
    }
    #expect(found.isGood)
    #expect(
      found.notes == ["'airports/home/huge' and 1 more are too large for a segment."]
        || found.notes == ["'airports/huge.seg' and 1 more are too large for a segment."])
  }

  @Test func aSegmentThatBecameATerabyteIsNotHere() async throws {
    try await remote.attach()
    let (_, name) = try await remote.store()
    let offer = try #require(
      try await remote.transport.inventory(of: RemoteFolder.domain).segments.first)
    remote.run("truncate -s 1T '\(name)'")
    let found = try await remote.transport.inventory(of: RemoteFolder.domain)
    #expect(found.segments.isEmpty)
    #expect(offer.location == name)
    remote.remove()
  }

  @Test func deepFoldersAreLeftAlone() async throws {
    let found = try await found { name in
      "mkdir -p airports/1/2/3/4/5/6/7/8/9/10 && cp '\(name)' airports/1/2/3/4/5/6/7/8/9/10/x.seg"
    }
    #expect(found.isGood)
    #expect(found.notes == ["'airports/1/2/3/4/5/6/7' is nested too deeply."])
  }

  @Test func namesThatAreNotUTF8AreLeftAlone() async throws {
    let found = try await found { name in
      "cp '\(name)' \"$(printf 'airports/\\377\\376.seg')\""
    }
    #expect(found.isGood)
    #if os(Linux)
    #expect(found.notes == ["'airports' has names that are not UTF-8."])
    #endif
  }

  @Test func foreignFilesAreNamedOnceAKind() async throws {
    let found = try await found { _ in
      "printf 'a shopping list' > airports/list.txt;"
        + " head -c 4000 /dev/urandom > airports/home/random.seg; touch airports/.DS_Store;"
        + " head -c 500 /dev/urandom > airports/.hidden; mkdir airports/.stfolder"
    }
    #expect(found.isGood)
    #expect(found.notes.count == 2)
    #expect(found.notes.contains { $0.hasSuffix("and 1 more are not segments.") })
    #expect(found.notes.contains("'airports/.DS_Store' is not here yet."))
  }

  @Test func whatMayNotBeReadIsNamed() async throws {
    // The superuser may read everything.
    guard geteuid() != 0 else { return }
    let found = try await found { _ in
      "touch airports/secret && echo x > airports/secret && chmod 000 airports/secret;"
        + " mkdir airports/closed && chmod 000 airports/closed"
    }
    #expect(found.isGood)
    #expect(found.notes.count == 1)
    #expect(found.notes.first?.hasSuffix("is not readable for this user (and 1 more).") == true)
  }

  @Test func anotherDomainsSegmentIsNotOurs() async throws {
    try await remote.attach()
    let foreign = try RemoteFolder.segment(domain: "media")
    try remote.write("airports/home/x.seg", foreign.bytes)
    let found = try await remote.everything()
    #expect(found.segments.isEmpty)
    #expect(found.notes == ["'airports/home/x.seg' belongs to another domain."])
    remote.remove()
  }

  @Test func aSegmentOfANewerVersionIsNamed() async throws {
    defer { remote.remove() }
    try await remote.attach()
    let (segment, name) = try await remote.store()
    var body = Array(segment.bytes.dropLast(16))
    body[8] = 2
    let newer = body + body.withUnsafeBytes { DeflateSegmentCoding().hash([$0]) }.bytes
    try remote.write(name + " 2", newer)
    let found = try await remote.everything()
    #expect(found.segments == [segment])
    #expect(found.notes.count == 1)
    // Under its own name it is offered, and the reader stops; no device writes over it.
    try remote.write(name, newer)
    await #expect(throws: SyncError.self) { _ = try await remote.everything() }
    try await remote.transport.store(RemoteFolder.release(segment))
    #expect(try remote.read(name) == newer)
    remote.remove()
  }

  @Test func noNameLeadsOutOfTheFolder() async throws {
    defer { remote.remove() }
    try await remote.attach()
    remote.run("mkdir inner && echo secret > secret")
    let blobs = FolderBlobStore(path: remote.path + "/inner")
    for name in ["../secret", "/etc/passwd", "a/../../secret", "", ".", "..", "a//b", "x\u{0}y"] {
      #expect(try await blobs.get(name, upTo: 100) == nil)
      await #expect(throws: SyncError.self) {
        _ = try await blobs.put(name, [1], replacing: true)
      }
      try await blobs.delete(name)
    }
    #expect(remote.files().contains("secret"))
  }
}

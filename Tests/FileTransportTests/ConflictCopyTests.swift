import SegmentFormat
import SyncKit
import Testing

/// Cloud drives rename, copy, delay and empty what they carry; none of it may lose or invent a
/// change.
@Suite struct ConflictCopies {
  static let marks = [
    "NAME (Ada's conflicted copy 2026-01-01).seg",
    "NAME.sync-conflict-20260101-010203-ABCDEFG.seg",
    "NAME 2.seg", "NAME (Case Conflict).seg", "NAME (Unicode Encoding Conflict).seg",
    "NAME(1).seg", "Copy of NAME.seg", "NAME.seg.bak", "NAME", "anything at all", "été.seg",
  ]

  @Test(arguments: marks) func aRenamedSegmentIsReadByItsContent(mark: String) async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    try await remote.attach()
    let (segment, name) = try await remote.store()
    let stem = try #require(name.split(separator: "/").last?.dropLast(4))
    let folder = name.dropLast(stem.count + 5)
    let copy = "\(folder)/\(mark.replacing("NAME", with: stem))"
    // First beside the original, then in its place.
    try remote.write(copy, segment.bytes)
    var found = try await remote.everything()
    #expect(found.segments == [segment, segment])
    remote.run("rm '\(name)'")
    found = try await remote.everything()
    #expect(found.segments == [segment])
    #expect(found.notes.isEmpty)
  }

  @Test(arguments: ["lost+found/x.seg", "x.seg", "a/b/c/d/e/x", "home/x", "home/nowhere/x.seg"])
  func aMovedSegmentIsReadByItsContent(place: String) async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    try await remote.attach()
    let (segment, name) = try await remote.store()
    remote.run("mkdir -p \"$(dirname 'airports/\(place)')\" && mv '\(name)' 'airports/\(place)'")
    #expect(try await remote.everything().segments == [segment])
  }

  @Test(arguments: ["airports 2", "airports (conflicted copy)", "AIRPORTS", "airports~1"])
  func aCopiedFolderOfADomainIsReadToo(copy: String) async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    try await remote.attach()
    let (segment, _) = try await remote.store()
    remote.run("mv airports '\(copy)'")
    let found = try await remote.everything()
    #expect(found.segments == [segment])
    #expect(found.notes.isEmpty)
  }

  @Test func aFileSystemThatFoldsCaseDoesNoHarm() async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    try await remote.attach()
    let (segment, name) = try await remote.store()
    let upper = "airports/" + name.dropFirst("airports/".count).uppercased()
    remote.run("mkdir -p \"$(dirname '\(upper)')\" && mv '\(name)' '\(upper)'")
    #expect(try await remote.everything().segments == [segment])
  }

  @Test func everyNameIsShortLowercaseASCII() async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    try await remote.attach()
    for zone: ZoneID in ["home", "zone-1"] { _ = try await remote.store(zone: zone) }
    for name in remote.files() {
      #expect(name.utf8.allSatisfy { $0 > 32 && $0 < 127 && !(65...90).contains($0) })
      #expect(name.split(separator: "/").allSatisfy { $0.utf8.count <= 64 })
    }
  }

  @Test func aSegmentUnderAnotherOnesNameIsNotHere() async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    try await remote.attach()
    let (_, first) = try await remote.store(1)
    let (segment, second) = try await remote.store(2)
    remote.run("cp '\(second)' '\(first)'")
    #expect(try await remote.everything().segments == [segment])
  }

  @Test func whatComesBackAfterItWasRemovedIsJustThere() async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    try await remote.attach()
    let (segment, name) = try await remote.store()
    remote.run("mv '\(name)' /tmp/back.$$ && mv /tmp/back.$$ '\(name)'")
    #expect(try await remote.everything().segments == [segment])
  }

  @Test func timesOfFilesMeanNothing() async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    try await remote.attach()
    let (first, one) = try await remote.store(1)
    let (second, two) = try await remote.store(2)
    remote.run("touch -d 1970-01-02 '\(one)'; touch -d 2099-01-01 '\(two)'")
    #expect(Set(try await remote.everything().segments) == [first, second])
  }
}

import FileTransport
import SegmentFormat
import SyncKit
import Testing

private func code(_ body: () async throws -> Void) async -> SyncError.Code? {
  do {
    try await body()
    return nil
  } catch {
    return (error as? SyncError)?.code
  }
}

/// The markers tell our place from an empty mount point and from other people's places.
@Suite struct Markers {
  let remote: RemoteFolder
  private let other = "bbbbbbbb-0000-4000-8000-00000000000b"

  init() throws { remote = try RemoteFolder() }

  private func known(_ vault: Set<String> = [RemoteFolder.vault]) -> RemoteIdentity {
    RemoteIdentity(vault: vault, isKnown: true, newVault: other)
  }

  private func attach(_ identity: RemoteIdentity) async throws -> Set<String> {
    try await remote.transport.attach(identity, domain: RemoteFolder.domain)
  }

  @Test func aNewPlaceGetsTwoSmallFiles() async throws {
    defer { remote.remove() }
    try await remote.attach()
    #expect(remote.files() == ["layout-airports-segments", "root-\(RemoteFolder.vault)"])
    for name in remote.files() { #expect(try remote.read(name) == Array("cloudsync 1\n".utf8)) }
  }

  @Test(arguments: [
    "root-V 2", "root-V (conflicted copy)", "root-V.sync-conflict-20260101-010203-ABCDEFG",
    "ROOT-V", ".root-V.icloud",
  ])
  func aRenamedMarkerIsStillTheMarker(name: String) async throws {
    defer { remote.remove() }
    try await remote.attach()
    let copy = name.replacing("V", with: RemoteFolder.vault)
    remote.run("mv root-\(RemoteFolder.vault) '\(copy)'")
    #expect(try await attach(known()) == [RemoteFolder.vault])
  }

  @Test(arguments: ["", "clouds", "cloudsync ", "cloudsync 1"])
  func aMarkerThatIsStillArrivingCounts(content: String) async throws {
    defer { remote.remove() }
    try await remote.attach()
    try remote.write("root-\(RemoteFolder.vault)", Array(content.utf8))
    #expect(try await attach(known()) == [RemoteFolder.vault])
  }

  @Test func garbageIsNoMarker() async throws {
    defer { remote.remove() }
    try await remote.attach()
    try remote.write("root-\(other)", Array("something else\n".utf8))
    try remote.write("root-beer", Array("cloudsync 1\n".utf8))
    let transport = remote.transport
    let vault = try await transport.attach(known(), domain: RemoteFolder.domain)
    #expect(vault == [RemoteFolder.vault])
    let notes = try await transport.inventory(of: RemoteFolder.domain).notes
    #expect(notes.count == 2)
    #expect(notes.allSatisfy { $0.contains("is not a marker") })
  }

  @Test func severalMarkersAreOneVault() async throws {
    defer { remote.remove() }
    try await remote.attach()
    try remote.write("root-\(other)", Array("cloudsync 1\n".utf8))
    #expect(try await attach(known()) == [RemoteFolder.vault, other])
    #expect(try await attach(known([other])) == [RemoteFolder.vault, other])
  }

  @Test func aNewerPlaceIsLeftToNewerVersions() async throws {
    defer { remote.remove() }
    for content in ["cloudsync 10\n", "cloudsync 1 sealed\n"] {
      try remote.write("root-\(RemoteFolder.vault)", Array(content.utf8))
      #expect(await code { _ = try await attach(known()) } == .formatNewer)
      #expect(remote.files().count == 1)
    }
  }

  @Test(arguments: ["layout-airports-document", "layout-airports-document 2"])
  func anotherLayoutIsRefusedBeforeAnythingIsWritten(name: String) async throws {
    defer { remote.remove() }
    try remote.write(name, Array("cloudsync 1\n".utf8))
    #expect(await code { try await remote.attach() } == .remoteLayout)
    #expect(remote.files() == [name])
  }

  @Test func otherDomainsLayoutsDoNotMatter() async throws {
    defer { remote.remove() }
    try remote.write("layout-media-document", Array("cloudsync 1\n".utf8))
    try remote.write("layout-airports-extra-document", Array("cloudsync 1\n".utf8))
    try await remote.attach()
  }

  @Test func anEmptiedPlaceIsRefused() async throws {
    defer { remote.remove() }
    try await remote.attach()
    _ = try await remote.store()
    try remote.empty()
    #expect(await code { _ = try await attach(known()) } == .remoteMarker)
    #expect(remote.files().isEmpty)
  }

  @Test func aPlaceThatLostOnlyItsMarkersIsRefused() async throws {
    defer { remote.remove() }
    try await remote.attach()
    _ = try await remote.store()
    remote.run("rm root-*")
    #expect(await code { _ = try await attach(known()) } == .remoteMarker)
  }

  @Test func anExchangedPlaceIsRefused() async throws {
    defer { remote.remove() }
    try await remote.attach()
    remote.run("mv root-\(RemoteFolder.vault) root-\(other)")
    #expect(await code { _ = try await attach(known()) } == .remoteVault)
  }

  @Test func twoDevicesThatMakeThePlaceAtOnceAreOneVault() async throws {
    defer { remote.remove() }
    async let first = remote.transport.attach(RemoteFolder.stranger(), domain: "airports")
    async let second = remote.transport.attach(RemoteFolder.stranger(other), domain: "airports")
    let found = try await first.union(second)
    let all = try await attach(known(found))
    #expect(all.isSuperset(of: found))
  }
}

@Suite struct ThePathItself {
  let remote: RemoteFolder

  init() throws { remote = try RemoteFolder() }

  private func attach(_ path: String, making: Bool = false) async -> SyncError.Code? {
    let transport = FileTransport(path: path, createIfParentExists: making)
    return await code {
      _ = try await transport.attach(RemoteFolder.stranger(), domain: RemoteFolder.domain)
    }
  }

  @Test func aMissingFolderIsUnavailable() async throws {
    defer { remote.remove() }
    #expect(await attach(remote.path + "/gone") == .remoteUnavailable)
    let transport = FileTransport(path: remote.path + "/gone")
    #expect(await code { _ = try await transport.inventory(of: "x") } == .remoteUnavailable)
    #expect(
      await code { try await transport.store(RemoteFolder.release(RemoteFolder.segment())) }
        == .remoteUnavailable)
    #expect(remote.files().isEmpty)
  }

  @Test func aFolderIsMadeInAParentThatExistsWhenAllowed() async throws {
    defer { remote.remove() }
    #expect(await attach(remote.path + "/new", making: true) == nil)
    #expect(await attach(remote.path + "/new", making: true) == nil)
    #expect(await attach(remote.path + "/a/b", making: true) == .remoteUnavailable)
    #expect(await attach(remote.path + "/slash/", making: true) == nil)
  }

  @Test func aFileIsNoFolder() async throws {
    defer { remote.remove() }
    try remote.write("file", [1])
    #expect(await attach(remote.path + "/file") == .remoteUnavailable)
    #expect(await attach(remote.path + "/file/x", making: true) == .remoteUnavailable)
  }

  @Test(arguments: ["", "\u{0}", "/dev/null", "/tmp\u{0}/x"])
  func anOddPathIsUnavailable(path: String) async throws {
    defer { remote.remove() }
    #expect(await attach(path, making: path.isEmpty) == .remoteUnavailable)
  }

  @Test(.timeLimit(.minutes(10))) func aPipeIsNoFolder() async throws {
    defer { remote.remove() }
    remote.run("mkfifo pipe")
    #expect(await attach(remote.path + "/pipe") == .remoteUnavailable)
  }

  @Test func aLinkToTheFolderIsTheUsersAffair() async throws {
    defer { remote.remove() }
    remote.run("mkdir real && ln -s real link")
    #expect(await attach(remote.path + "/link") == nil)
    #expect(remote.files(in: "real").count == 2)
  }

  @Test func filesGetTheModesOfTheUmaskAndTheFolderKeepsItsOwn() async throws {
    defer { remote.remove() }
    remote.run("chmod 2770 .")
    try await remote.attach()
    let (_, name) = try await remote.store()
    #expect(remote.mode(name).map { $0 & 0o111 } == 0)
    #expect(remote.mode(name).map { $0 & 0o600 } == 0o600)
    #expect(remote.mode("airports").map { $0 & 0o700 } == 0o700)
    #expect(remote.mode(".") == 0o2770)
  }
}

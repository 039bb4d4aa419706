import FileTransport
import SyncKit
import Testing

/// A folder from which a domain is removed, because all of it lies there in another form.
struct EmptiedFolderTests {
  private let remote: RemoteFolder

  init() async throws {
    remote = try RemoteFolder()
    try await remote.attach()
    for number: UInt64 in 1...3 { _ = try await remote.store(number) }
  }

  private func empty() async throws {
    let listed = try await remote.transport.inventory(of: RemoteFolder.domain)
    try await remote.transport.empty(RemoteFolder.domain, of: listed)
  }

  @Test func `neither files nor folders of it are left`() async throws {
    defer { remote.remove() }
    #expect(remote.run("test -d airports") == 0)
    try await empty()
    #expect(remote.files() == ["root-\(RemoteFolder.vault)"])
    #expect(remote.run("test -e airports") != 0)
  }

  @Test func `half a file that a crash has left goes too`() async throws {
    defer { remote.remove() }
    let folder = remote.segmentFiles[0].split(separator: "/").dropLast().joined(separator: "/")
    try remote.write("\(folder)/.tmp-aaaaaaaaaaaaa", Array("canary".utf8))
    try await empty()
    #expect(remote.run("test -e airports") != 0)
  }

  @Test func `what is not ours stays, and its folder too`() async throws {
    defer { remote.remove() }
    try remote.write("airports/holiday.txt", Array("a note".utf8))
    remote.run("ln -s /tmp airports/link")
    try await empty()
    #expect(remote.files() == ["airports/holiday.txt", "root-\(RemoteFolder.vault)"])
    #expect(remote.run("test -L airports/link && test -d /tmp") == 0)
    #expect(remote.segmentFiles == [])
  }
}

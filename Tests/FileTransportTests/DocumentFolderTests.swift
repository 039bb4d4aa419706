import SyncKit
import Testing

@testable import FileTransport

/// Writing a document that others write, too.
@Suite struct DocumentFolderTests {
  @Test(arguments: [true, false])
  func `what another program writes while a document is replaced is kept beside it`(
    canLink: Bool
  ) async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    var folder = DocumentFolder(FolderBlobStore(path: remote.path), path: "library.json")
    folder.canLink = canLink
    folder.meanwhile = { try remote.write("library.json", [3]) }
    try remote.write("library.json", [2])
    guard case .changed = try await folder.replace([2], with: [1], keepingAs: nil) else {
      Issue.record("Nobody has noticed.")
      return
    }
    let names = remote.files()
    #expect(names.count == 2)
    #expect(try remote.read("library.json") == [1])
    let copy = try #require(names.first { $0 != "library.json" })
    #expect(folder.isCopy(copy))
    #expect(try remote.read(copy) == [3])
  }

  @Test func `a document that has changed since it was read is left as it is`() async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    let folder = DocumentFolder(FolderBlobStore(path: remote.path), path: "library.json")
    try remote.write("library.json", [1])
    for expected: [UInt8]? in [nil, [2]] {
      guard case .changed = try await folder.replace(expected, with: [3], keepingAs: nil) else {
        Issue.record("It was written.")
        continue
      }
      #expect(remote.files() == ["library.json"])
      #expect(try remote.read("library.json") == [1])
    }
  }

  @Test func `on a medium without second names nothing is lost either`() async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    var folder = DocumentFolder(FolderBlobStore(path: remote.path), path: "library.json")
    folder.canLink = false
    try remote.write("library.json", [1])
    guard case .written = try await folder.replace([1], with: [2], keepingAs: "damaged") else {
      Issue.record("It was not written.")
      return
    }
    #expect(remote.files() == ["library.damaged.json", "library.json"])
    #expect(try remote.read("library.damaged.json") == [1])
    #expect(try remote.read("library.json") == [2])
    _ = try await folder.replace([2], with: [3], keepingAs: nil)
    #expect(remote.files() == ["library.damaged.json", "library.json"])
  }

  @Test func `what was there before is kept under a mark, and without one it is gone`() async throws
  {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    let folder = DocumentFolder(FolderBlobStore(path: remote.path), path: "library.json")
    _ = try await folder.replace(nil, with: [1], keepingAs: nil)
    _ = try await folder.replace([1], with: [2], keepingAs: nil)
    #expect(remote.files() == ["library.json"])
    _ = try await folder.replace([2], with: [3], keepingAs: "before")
    #expect(remote.files() == ["library.before.json", "library.json"])
    #expect(try remote.read("library.before.json") == [2])
    #expect(try remote.read("library.json") == [3])
  }
}

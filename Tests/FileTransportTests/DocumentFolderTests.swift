import SyncKit
import Testing

@testable import FileTransport

/// Writing a document that others write, too.
@Suite struct DocumentFolderTests {
  @Test func `what somebody writes while a document is exchanged is kept beside it`() async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    let folder = DocumentFolder(FolderBlobStore(path: remote.path), path: "library.json")
    // Large enough that it is on its way to the disk when the other one comes.
    let ours = [UInt8](repeating: 1, count: 8 << 20)
    var races = 0
    for round in UInt8(0)..<100 where races == 0 {
      let (old, theirs): ([UInt8], [UInt8]) = ([2, round], [3, round])
      try remote.empty()
      try remote.write("library.json", old)
      try remote.write("theirs", theirs)
      let other = Task.detached {
        // The first step of an exchange is a file that nobody looks at.
        while !remote.files().contains(where: TemporaryName.matches), !Task.isCancelled {}
        return remote.run("mv -f theirs library.json")
      }
      let outcome = try await folder.replace(old, with: ours, keepingAs: nil)
      other.cancel()
      #expect(await other.value == 0)
      let names = remote.files()
      let contents = try names.map { try remote.read($0) }
      #expect(contents.contains(theirs))
      if case .changed = outcome {
        races += 1
        #expect(names.count == 2 && contents.contains(ours))
        #expect(names.contains { $0 != "library.json" && folder.isCopy($0) })
      }
    }
    #expect(races > 0)
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

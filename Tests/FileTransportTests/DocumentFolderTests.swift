import SyncKit
import SyncKitFormats
import Testing

@testable import FileTransport

extension DocumentFolder {
  /// Puts one number in the place of another one, as a document.
  fileprivate func replace(
    _ expected: Int?, with number: Int, keepingAs mark: String?
  ) throws -> Outcome {
    let draft = try draft(orThrow: .tooLarge("", "")) { try $0.write(.int(Int64(number))) }
    return try replace(
      expected.map { ContentStamp(Array("\($0)".utf8)) }, with: draft, keepingAs: mark)
  }
}

extension RemoteFolder {
  fileprivate func write(_ name: String, _ number: Int) throws {
    try write(name, Array("\(number)".utf8))
  }

  fileprivate func number(in name: String) throws -> Int? {
    Int(String(decoding: try read(name), as: UTF8.self))
  }
}

/// Writing a document that others write, too.
@Suite struct DocumentFolderTests {
  @Test(arguments: [true, false])
  func `what another program writes while a document is replaced is kept beside it`(
    canLink: Bool
  ) throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    var folder = DocumentFolder(FolderBlobStore(path: remote.path), path: "library.json")
    folder.canLink = canLink
    folder.meanwhile = { try remote.write("library.json", 3) }
    try remote.write("library.json", 2)
    guard case .changed = try folder.replace(2, with: 1, keepingAs: nil) else {
      Issue.record("Nobody has noticed.")
      return
    }
    let names = remote.files()
    #expect(names.count == 2)
    #expect(try remote.number(in: "library.json") == 1)
    let copy = try #require(names.first { $0 != "library.json" })
    #expect(folder.isCopy(copy))
    #expect(try remote.number(in: copy) == 3)
  }

  @Test func `a document that has changed since it was read is left as it is`() throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    let folder = DocumentFolder(FolderBlobStore(path: remote.path), path: "library.json")
    try remote.write("library.json", 1)
    for expected: Int? in [nil, 2] {
      guard case .changed = try folder.replace(expected, with: 3, keepingAs: nil) else {
        Issue.record("It was written.")
        continue
      }
      #expect(remote.files() == ["library.json"])
      #expect(try remote.number(in: "library.json") == 1)
    }
  }

  @Test func `on a medium without second names nothing is lost either`() throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    var folder = DocumentFolder(FolderBlobStore(path: remote.path), path: "library.json")
    folder.canLink = false
    try remote.write("library.json", 1)
    guard case .written = try folder.replace(1, with: 2, keepingAs: "damaged") else {
      Issue.record("It was not written.")
      return
    }
    #expect(remote.files() == ["library.damaged.json", "library.json"])
    #expect(try remote.number(in: "library.damaged.json") == 1)
    #expect(try remote.number(in: "library.json") == 2)
    _ = try folder.replace(2, with: 3, keepingAs: nil)
    #expect(remote.files() == ["library.damaged.json", "library.json"])
  }

  @Test func `a replaced file is kept under a name with its mark, or removed without one`() throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    let folder = DocumentFolder(FolderBlobStore(path: remote.path), path: "library.json")
    _ = try folder.replace(nil, with: 1, keepingAs: nil)
    _ = try folder.replace(1, with: 2, keepingAs: nil)
    #expect(remote.files() == ["library.json"])
    _ = try folder.replace(2, with: 3, keepingAs: "before")
    #expect(remote.files() == ["library.before.json", "library.json"])
    #expect(try remote.number(in: "library.before.json") == 2)
    #expect(try remote.number(in: "library.json") == 3)
  }

  @Test func `a document that is given up leaves nothing behind`() throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    let folder = DocumentFolder(FolderBlobStore(path: remote.path), path: "library.json")
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      _ = try folder.draft(orThrow: .tooLarge("", "")) {
        for _ in 0..<100_000 { try $0.write(.string("half")) }
        throw Stop()
      }
    }
    _ = try folder.draft(orThrow: .tooLarge("", "")) { try $0.write(1) }
    #expect(remote.files().isEmpty)
  }
}

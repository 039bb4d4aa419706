import CommandFoundation
import SyncKit
import Testing

@testable import CloudSyncCommands

/// The device, share or person for a text.
struct NameResolverTests {
  private typealias Thing = (id: String, name: String)
  private let things: [Thing] = [
    ("abcd-1", "Anna’s phone"), ("abcd-2", "Laptop"), ("efgh-3", "laptop"), ("Laptops", "Desk"),
  ]

  private func find(_ text: String, words: Bool = false) throws(SyncError) -> String {
    let meant = NameResolver<Thing>(
      id: { $0.id }, name: { $0.name }, takesWords: words, plural: "things", list: "things list")
    return try meant.one(text, of: things) { "there is no '\($0)'" }.id
  }

  @Test func `an id, the start of one and a name will do`() throws {
    #expect(try find("abcd-2") == "abcd-2")
    #expect(try find("efgh") == "efgh-3")
    #expect(try find("ANNA’S PHONE") == "abcd-1")
    #expect(try find("Laptops") == "Laptops")
  }

  @Test func `words of a name will do only where a wrong guess does no harm`() throws {
    #expect(try find("phone", words: true) == "abcd-1")
    #expect(throws: SyncError.self) { try find("phone") }
    #expect(throws: SyncError.self) { try find("", words: true) }
  }

  @Test(arguments: ["abcd", "laptop"]) func `a text that fits several fits none`(text: String) {
    #expect { try find(text) } throws: { ($0 as? SyncError)?.code == .usage }
  }

  @Test(arguments: ["efg", "nobody"])
  func `a text that fits none is an error with the command that lists all`(
    text: String
  ) {
    #expect {
      try find(text)
    } throws: {
      ($0 as? SyncError)?.code == .notFound && ($0 as? SyncError)?.hint == "see 'things list'"
    }
  }
}

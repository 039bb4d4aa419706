import SyncKitFormats
import SyncKitTesting
import Testing

@testable import WebDAVTransport

@Suite struct MultiStatusReading {
  private func read(_ responses: String) throws -> MultiStatus {
    try MultiStatus(
      Array(
        "<?xml version=\"1.0\"?><d:multistatus xmlns:d=\"DAV:\">\(responses)</d:multistatus>".utf8))
  }

  private func response(_ path: String, isCollection: Bool = false, size: Int = 3) -> String {
    """
    <d:response><d:href>\(path)</d:href><d:propstat><d:prop>
    <d:resourcetype>\(isCollection ? "<d:collection/>" : "")</d:resourcetype>
    <d:getcontentlength>\(size)</d:getcontentlength>
    <d:getlastmodified>Sun, 06 Nov 1994 08:49:37 GMT</d:getlastmodified>
    </d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>
    <d:propstat><d:prop><d:getcontentlength/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>
    </d:response>
    """
  }

  @Test func aCollectionAndWhatIsInIt() throws {
    let found = try read(
      response("/dav/My%20Files/", isCollection: true) + response("/dav/My%20Files/a%25b")
        + response("/dav/My%20Files/sub/", isCollection: true)
        + response("/dav/My%20Files/sub/deeper"))
    let children = found.children(of: ["dav", "My Files"])
    #expect(children.map(\.name) == ["a%b", "sub"])
    #expect(children[0].resource.size == 3)
    #expect(children[0].resource.modified == 784_111_777_000)
    #expect(!children[0].resource.isCollection && children[1].resource.isCollection)
  }

  @Test func propertiesMayHaveAStatusEach() throws {
    let properties = [
      "<d:getcontentlength>7</d:getcontentlength>",
      "<d:getlastmodified>Sun, 06 Nov 1994 08:49:37 GMT</d:getlastmodified>", "<d:resourcetype/>",
    ]
    let groups = properties.map {
      "<d:propstat><d:prop>\($0)</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>"
    }
    let found = try read(
      response("/dav/", isCollection: true)
        + "<d:response><d:href>/dav/x</d:href>\(groups.joined())</d:response>")
    let children = found.children(of: ["dav"])
    #expect(children.map(\.name) == ["x"])
    #expect(children.first?.resource.size == 7)
    #expect(children.first?.resource.modified == 784_111_777_000)
  }

  @Test func wholeAddressesCountAsTheirPaths() throws {
    let found = try read(
      response("https://cloud.example.org:8443/dav", isCollection: true)
        + response("https://cloud.example.org:8443/dav/x?version=1"))
    #expect(found.children(of: ["dav"]).map(\.name) == ["x"])
  }

  @Test func aCollectionThatLeavesItselfOut() throws {
    let found = try read(response("/dav/x") + response("/dav/y/", isCollection: true))
    #expect(found.children(of: ["dav"]).map(\.name) == ["x", "y"])
    #expect(try read(response("/dav/x")).children(of: ["dav"]).map(\.name) == ["x"])
  }

  @Test(arguments: ["", "/inside", "https://box.example.org/in%20side"])
  func pathsThatAreNotEscapedAreTakenAsTheyStand(front: String) throws {
    let own = "\(front)/dav/a#1 50%25?"
    let found = try read(
      response("\(own)/", isCollection: true) + response("\(own)/root-x")
        + response("\(own)/notes/", isCollection: true))
    let path = ["dav", "a#1 50%25?"]
    #expect(found.children(of: path).map(\.name) == ["root-x", "notes"])
    let below = try read(
      response("\(own)/notes/", isCollection: true) + response("\(own)/notes/x.seg"))
    #expect(below.children(of: path + ["notes"]).map(\.name) == ["x.seg"])
    #expect(try read(response("\(own)/", isCollection: true)).children(of: path).isEmpty)
  }

  @Test func pathsThatLookAlikeInBothFormsAreDecoded() throws {
    // Found by its decoded path, though one within bears the other form.
    let found = try read(
      response("/dav/a%2520b/", isCollection: true) + response("/dav/a%2520b/c%20d")
        + response("/dav/a%2520b/a%20b/", isCollection: true))
    #expect(found.children(of: ["dav", "a%20b"]).map(\.name) == ["c d", "a b"])
    let top = try read(response("/x%20y") + response("/z/", isCollection: true))
    #expect(top.children(of: []).map(\.name) == ["x y", "z"])
    let proxied = try read(
      response("/in%20side/dav/", isCollection: true) + response("/in%20side/dav/x%20y"))
    #expect(proxied.children(of: ["dav"]).map(\.name) == ["x y"])
  }

  @Test func anEmptyCollectionBehindAProxy() throws {
    let found = try read(response("/inside/dav/", isCollection: true))
    #expect(found.children(of: ["dav"]).isEmpty)
  }

  @Test func namesThatLeadElsewhereAreLeftOut() throws {
    let found = try read(
      response("/dav/", isCollection: true) + response("/dav/..") + response("/dav/%2e%2e")
        + response("/dav/a%2Fb") + response("/dav/%00") + response("/etc/passwd")
        + response("/dav/good"))
    #expect(found.children(of: ["dav"]).map(\.name) == ["good"])
  }

  @Test func brokenAnswersAreErrorsAndNothingWorse() throws {
    #expect(throws: XMLError.self) { try MultiStatus(Array("<html>".utf8)) }
    #expect(throws: XMLError.self) { try MultiStatus([]) }
    var random = SeededRandom(seed: 11)
    let good = Array(response("/dav/x").utf8)
    for _ in 0..<2_000 {
      var bytes = good
      for _ in 0..<4 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      _ = try? MultiStatus(bytes).children(of: ["dav"])
    }
  }
}

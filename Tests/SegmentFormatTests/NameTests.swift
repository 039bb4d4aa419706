import SyncKit
import Testing

@testable import SegmentFormat

@Suite struct SegmentNames {
  @Test(arguments: [BlobArrangement.folders, .flat])
  func aNameIsReadAsItWasWritten(arrangement: BlobArrangement) throws {
    let name = try #require(SegmentName(Sample.info(count: 5, first: 12), length: 345))
    let path = name.path(arrangement)
    #expect(SegmentName(path: path) == name)
    #expect(BlobArrangement.parts(path.utf8).last?.starts(with: "12-16-".utf8) == true)
    #expect(path.hasSuffix("-345.seg"))
    let plain = path.replacing("-345", with: "")
    #expect(SegmentName(path: plain)?.length == nil && SegmentName(path: plain)?.head == name.head)
    #expect(path.contains("/") == (arrangement == .folders))
    let marker = ErasureMarker(zone: name.zone, replica: name.series)
    #expect(ErasureMarker(path: marker.path(arrangement)) == marker)
    let (folder, last) = arrangement == .folders ? ("home/", "") : ("", "home_")
    #expect(
      ErasureMarker(path: "\(folder).\(last)erased-\(name.series).icloud")
        == ErasureMarker(zone: .home, replica: name.series))
  }

  @Test func theLongestNameFitsEveryFileSystem() throws {
    var info = Sample.info()
    info.first = Dot.maximumNumber
    info.last = Dot.maximumNumber
    let name = try #require(SegmentName(info, length: BlobCensus.maximumSize))
    #expect(name.path(.folders).split(separator: "/").allSatisfy { $0.utf8.count <= 74 })
    #expect(name.path(.flat).utf8.count <= 166)
    #expect(SegmentName(path: name.path(.flat)) == name)
    #expect(name.path(.flat).utf8.allSatisfy { $0 < 128 && !(65...90).contains($0) })
    info.last += 1
    #expect(SegmentName(info, length: nil) == nil)
  }

  @Test func foldedCaseIsReadThrough() throws {
    let name = try #require(SegmentName(Sample.info(), length: 1))
    #expect(SegmentName(path: name.path(.folders).uppercased()) == name)
  }

  @Test func anythingElseIsNoName() throws {
    let path = try #require(SegmentName(Sample.info(count: 9), length: nil)).path(.folders)
    let parts = path.split(separator: "/").map(String.init)
    let file = parts[2]
    let others = [
      "", "/", "//", file, "home/\(file)", "a/b/c/\(file)", path + " ", path + ".seg",
      path.replacing(".seg", with: " 2.seg"), path.replacing(".seg", with: ".sg"),
      path.replacing("/1-9-", with: "/01-9-"), path.replacing("/1-9-", with: "/0-9-"),
      path.replacing("/1-9-", with: "/10-9-"), path.replacing("/1-9-", with: "/1--"),
      path.replacing("/1-9-", with: "/1-99999999999999999-"),
      path.replacing("/1-9-", with: "/+1-9-"), path.replacing("home/", with: "ho me/"),
      path.replacing("home/", with: "../"), path.replacing(".seg", with: "-.seg"),
      path.replacing(".seg", with: "-01.seg"), path.replacing(".seg", with: "-1234567890.seg"),
      path.replacing(".seg", with: "-7-7.seg"),
    ]
    for other in others { #expect(SegmentName(path: other) == nil, "\(other)") }
  }
}

@Suite struct NamesOfAPlace {
  private let vault = "0f0e0d0c-0b0a-4908-8706-050403020100"

  @Test(arguments: ["", " 2", " (conflicted copy)", ".sync-conflict-20260101-010203-ABCDEFG", "~"])
  func copiesOfAMarkerCountAsTheMarker(mark: String) {
    #expect(RemoteFileName.vault("root-\(vault)\(mark)") == vault)
    #expect(RemoteFileName.vault("ROOT-\(vault.uppercased())\(mark)") == vault)
    #expect(RemoteFileName.layout("layout-bike-segments\(mark)", of: "bike") == "segments")
    #expect(RemoteFileName.isFolder("bike\(mark)", of: "bike"))
  }

  @Test func placeholdersCountAsWhatTheyStandFor() {
    #expect(RemoteFileName.vault(".root-\(vault).icloud") == vault)
    #expect(RemoteFileName.layout(".layout-bike-document.icloud", of: "bike") == "document")
    #expect(!RemoteFileName.isPlaceholder(".icloud"))
  }

  @Test func longerNamesAreOtherNames() {
    #expect(RemoteFileName.vault("root-\(vault)0") == nil)
    #expect(RemoteFileName.vault("root-\(vault.dropLast())") == nil)
    #expect(RemoteFileName.vault("root-" + String(repeating: "é", count: 36)) == nil)
    #expect(RemoteFileName.vault("roots") == nil)
    #expect(!RemoteFileName.isFolder("bikes", of: "bike"))
    #expect(!RemoteFileName.isFolder("bike-2", of: "bike"))
    #expect(RemoteFileName.layout("layout-bike-shed-segments", of: "bike") == nil)
    #expect(RemoteFileName.layout("layout-bike-", of: "bike") == nil)
    #expect(RemoteFileName.layout("layout-bikes-segments", of: "bike") == nil)
  }
}

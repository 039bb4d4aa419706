import SyncKitFormats
import Testing

/// What files are by their first bytes.
struct FileContentTests {
  @Test(
    arguments: [
      ([0x50, 0x4B, 0x03, 0x04, 0x14], .zip), ([0x1F, 0x8B, 0x08], .gzip),
      (Array("%PDF-1.7".utf8), .pdf), (Array("SQLite format 3\0".utf8), .sqlite),
      (Array("bplist00".utf8), .binaryPropertyList), ([0x89, 0x50, 0x4E, 0x47], .image),
      ([0x0E, 0x20, 0, 0, 0, 0, 0, 0] + Array(".FIT".utf8), .fit),
      (Array("\n <?xml version=\"1.0\"?>".utf8), .markup), ([0xFF, 0xFE, 0x3C, 0x00], .markup),
      (Array("a,b\n".utf8), .text), (Array("{}".utf8), .text), ([], .text),
      (Array(repeating: 0x61, count: 257) + Array("ustar".utf8), .tar),
    ] as [([UInt8], FileContent)])
  func `the first bytes tell`(bytes: [UInt8], content: FileContent) {
    #expect(FileContent(of: bytes) == content)
  }
}

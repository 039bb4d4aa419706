import SyncKitFormats
import Testing

struct GzipTests {
  private let text = Array(String(repeating: "tconst\ttitle\n", count: 10_000).utf8)

  @Test func `unpacks what was packed`() throws {
    for bytes in [[], [7], text] {
      let packed = try Gzip.compress(bytes)
      #expect(Gzip.isGzip(packed))
      #expect(try Gzip.decompress(packed, limit: bytes.count) == bytes)
    }
    #expect(!Gzip.isGzip(text))
    #expect(!Gzip.isGzip([0x1F]))
  }

  @Test func `reads several members and the zeros after them`() throws {
    let packed = try Gzip.compress([1, 2]) + Gzip.compress([]) + Gzip.compress([3])
    #expect(try Gzip.decompress(packed + [0, 0, 0], limit: 10) == [1, 2, 3])
  }

  @Test(arguments: [1, 2, 7, 1000])
  func `unpacks the same however the file is split`(size: Int) throws {
    let packed = try Gzip.compress(text) + Gzip.compress([9])
    var reader = GzipReader()
    var result: [UInt8] = []
    for start in stride(from: 0, to: packed.count, by: size) {
      try reader.feed(packed[start..<min(packed.count, start + size)]) { result += $0 }
    }
    try reader.finish()
    #expect(result == text + [9])
  }

  @Test func `refuses what is damaged, cut off or too large`() throws {
    let packed = try Gzip.compress(text)
    func fault(_ bytes: [UInt8], limit: Int = 1 << 20) -> String? {
      do {
        _ = try Gzip.decompress(bytes, limit: limit)
        return nil
      } catch { return String(describing: error) }
    }
    #expect(fault([]) == "it ends too early")
    #expect(fault(packed.dropLast()) == "it ends too early")
    #expect(fault(text) == "its compressed bytes are damaged")
    #expect(fault(packed + [1, 2, 3]) == "its compressed bytes are damaged")
    #expect(fault(packed + [0, 1]) == "there are other bytes after its end")
    #expect(fault(packed, limit: text.count - 1) == "it unpacks to more than 129999 bytes")
    var damaged = packed
    damaged[packed.count - 6] ^= 1
    #expect(fault(damaged) == "its compressed bytes are damaged")
  }

  @Test(arguments: 1...20)
  func `never traps on damaged files`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let packed = try Gzip.compress(Array(text.prefix(500))) + Gzip.compress([1])
    for _ in 0..<50 {
      var bytes = packed
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      _ = try? Gzip.decompress(bytes, limit: 1 << 16)
    }
  }

  @Test func `an inflater stops at the end of its stream and says how much it took`() throws {
    // The bytes of "a" in one stored block of RFC 1951.
    let stream: [UInt8] = [0x01, 0x01, 0x00, 0xFE, 0xFF, 0x61]
    let inflater = try Inflater(.raw)
    var result: [UInt8] = []
    #expect(try inflater.feed((stream + [1, 2, 3])[...]) { result += $0 } == stream.count)
    #expect(inflater.isFinished)
    #expect(result == [0x61])
  }
}

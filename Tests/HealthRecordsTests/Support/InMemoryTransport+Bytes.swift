import SegmentFormat
import SyncKit
import SyncKitTesting

extension InMemoryTransport {
  /// All stored bytes, raw and decompressed, as one text.
  func everything() async throws -> String {
    let coding = DeflateSegmentCoding()
    var bytes: [UInt8] = []
    for reference in try await inventory(of: "health").segments {
      guard let segment = try await fetch(reference, of: "health") else { continue }
      bytes += segment.bytes + Array(reference.location.utf8)
      for change in try coding.changes(of: coding.read(segment.bytes)) { bytes += change }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

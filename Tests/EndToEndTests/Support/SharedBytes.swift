import SegmentFormat
import SyncKit
import Testing

extension TwoDevices {
  /// Every shared file, raw and with its content decompressed.
  func sharedTexts() throws -> [String] {
    try Self.files(in: shared).flatMap { path -> [String] in
      let bytes = try Files.read(path)
      return [String(decoding: bytes, as: UTF8.self) + path] + Self.unpacked(bytes)
    }
  }

  /// Checks that some texts are nowhere in the shared bytes.
  func expectNowhere(
    _ texts: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for shared in try sharedTexts() {
      for text in texts {
        #expect(!shared.contains(text), "found a canary", sourceLocation: sourceLocation)
      }
    }
  }

  /// Checks that a further sync writes nothing.
  func expectQuiet(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let before = Self.files(in: shared)
    try await sync()
    #expect(Self.files(in: shared) == before, sourceLocation: sourceLocation)
  }

  private static func files(in folder: String) -> [String] {
    Files.names(in: folder).flatMap { name -> [String] in
      let path = "\(folder)/\(name)"
      let inner = files(in: path)
      return inner.isEmpty && Files.names(in: path).isEmpty ? [path] : inner
    }
  }

  /// The changes in a segment, decompressed; nothing for another file.
  private static func unpacked(_ bytes: [UInt8]) -> [String] {
    let coding = DeflateSegmentCoding()
    guard let segment = try? coding.read(bytes), let changes = try? coding.changes(of: segment)
    else {
      return []
    }
    return changes.map { String(decoding: $0, as: UTF8.self) }
  }
}

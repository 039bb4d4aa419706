/// Contents of small blobs that are known already, by what the service says changes with the content.
///
/// A listing that shows a blob with the same mark spares the request that would read it again.
struct BlobMemory {
  /// No longer blob is kept.
  static let maximumSize = 4_096
  /// No more blobs are kept.
  private static let maximumCount = 4_096
  private var contents: [String: (tag: String, bytes: [UInt8])] = [:]
  private var shown: [String: [UInt8]] = [:]

  /// Keeps a blob that was read or stored.
  mutating func keep(_ name: String, _ bytes: [UInt8], tag: String?) {
    shown[name] = nil
    guard let tag, !tag.isEmpty, bytes.count <= Self.maximumSize else {
      contents[name] = nil
      return
    }
    if contents.count >= Self.maximumCount { contents.removeAll() }
    contents[name] = (tag, bytes)
  }

  /// Forgets a blob.
  mutating func forget(_ name: String) {
    shown[name] = nil
    contents[name] = nil
  }

  /// Takes a blob of a listing that has just come.
  mutating func see(_ name: String, size: Int?, tag: String?) {
    shown[name] = nil
    guard let tag, let size, size <= Self.maximumSize else { return }
    if let known = contents[name], known.tag == tag, known.bytes.count == size {
      shown[name] = known.bytes
    }
  }

  /// The content of a blob as the last listing showed it; once, since it may change afterwards.
  mutating func take(_ name: String) -> [UInt8]? { shown.removeValue(forKey: name) }
}

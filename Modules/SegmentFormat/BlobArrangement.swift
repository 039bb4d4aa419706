/// How the blobs of a domain lie in a store.
///
/// Readers take both, also side by side.
public enum BlobArrangement: Hashable, Sendable {
  /// In a folder for each zone and each series, as people and file systems like it.
  case folders
  /// All in the domain's folder, with the zone and the series in the name: for stores in which each folder is listed by
  /// a request of its own.
  case flat

  /// Joins the parts of a name below the domain's folder.
  func path(_ parts: [String]) -> String {
    parts.joined(separator: self == .flat ? "_" : "/")
  }

  /// The parts of a name below the domain's folder, in whichever arrangement.
  static func parts<Bytes: Collection<UInt8>>(_ bytes: Bytes) -> [Bytes.SubSequence] {
    bytes.split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "_")
    }
  }
}

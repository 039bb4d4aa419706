/// Which names may be those of blobs.
enum BlobKey {
  /// The most bytes of a key.
  static let maximumLength = 1_024

  /// Whether a path has only parts that are names: none is empty, `.` or `..`, and none has a control character.
  static func isProper(_ path: some StringProtocol) -> Bool {
    guard !path.isEmpty, path.utf8.count <= maximumLength else { return false }
    return path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && part != "." && part != ".."
        && part.unicodeScalars.allSatisfy {
          $0.value >= 0x20 && $0.value != 0x7F && $0.value != 0xFFFD
        }
    }
  }
}

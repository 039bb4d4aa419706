import SyncKit

/// The fixed points of a segment file, version 1; byte by byte in Documentation/Formats/Segment.md.
package enum SegmentLayout {
  /// Begins every segment of every version.
  ///
  /// The first byte is no text, and CR LF, LF-less and SUB show damage by tools that convert text.
  static let magic: [UInt8] = [0x89, 0x43, 0x53, 0x45, 0x47, 0x0D, 0x0A, 0x1A]
  /// The version that this code writes, and the newest that it reads.
  static let version: UInt64 = 1
  /// Ends every segment of every version: the start of the SHA-256 of all bytes before.
  static let trailerLength = 16
  /// The feature of a file that holds a part of a snapshot in the place of changes.
  static let snapshotFeature = "snapshot"
  /// The features, by name, that a reader may be required to know and that this version knows.
  static let knownFeatures: Set<String> = [snapshotFeature]
  /// No feature has a longer name.
  static let featureNameLimit = 64
  /// The most bytes to which a segment unpacks: 64 MiB.
  static let maximumRawLength = 64 << 20
  /// Raw deflate cannot pack better than 1032 to 1; a file that claims more is not honest.
  static let maximumRatio = 1_032
  /// No file is shorter.
  static let minimumLength = 128

  /// Whether a text may name a domain or a zone, and with it a folder.
  package static func isFolderName(_ text: String) -> Bool { isFolderName(text.utf8) }

  static func isFolderName(_ bytes: some Collection<UInt8>) -> Bool {
    (1...64).contains(bytes.count)
      && bytes.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}

/// How the payload of a segment is packed.
enum SegmentCompression: UInt8 {
  /// As it is.
  case stored = 0
  /// RFC 1951 without any wrapper.
  case deflate = 1
}

import SyncKit

/// The small files at the top of a remote that name its vault and its layout.
///
/// Each is made once and never changed: `root-<uuid>` for every vault whose data lie here, and
/// `layout-<domain>-<layout>` for every domain. Their names say it all; their content says which
/// version and which features a reader must know. That of another version has another length, so one of this
/// length need not be read.
struct RemoteMarkers {
  /// What every marker of this version holds.
  static let content = Array("cloudsync 1\n".utf8)
  /// No marker is longer.
  private static let limit = 4_096

  /// The vaults.
  private(set) var vaults: Set<String> = []
  /// The layouts of the domain in question.
  private(set) var layouts: Set<String> = []
  /// What is passed over, each as a sentence.
  private(set) var notes: [String] = []

  /// Reads the markers of a listing of the remote itself.
  ///
  /// - Throws: ``SyncError`` `format.newer` when one is from a newer version.
  init(_ listing: BlobListing, domain: String, in blobs: any BlobStore) async throws {
    for blob in listing.blobs.sorted(by: { $0.name < $1.name }) {
      let vault = RemoteFileName.vault(blob.name)
      let layout = RemoteFileName.layout(blob.name, of: domain)
      guard vault != nil || layout != nil else {
        if blob.name.lowercased().hasPrefix("root-") { notes.append(Self.note(blob.name)) }
        continue
      }
      // One that is not downloaded yet says by its name what is most important, and one of our length says nothing else.
      let isAbsent = !blob.isHere || RemoteFileName.isPlaceholder(blob.name) || blob.size == 0
      if !isAbsent, blob.size != Self.content.count,
        let bytes = try await blobs.peek(at: blob.name, upTo: Self.limit),
        try !Self.isMarker(bytes, blob.name, blobs.location)
      {
        notes.append(Self.note(blob.name))
        continue
      }
      if let vault { vaults.insert(vault) }
      if let layout { layouts.insert(layout) }
    }
  }

  /// Whether the bytes are a marker, or the beginning of one.
  private static func isMarker(_ bytes: [UInt8], _ name: String, _ location: String) throws -> Bool
  {
    let start = Array("cloudsync ".utf8)
    guard bytes.count > start.count else { return start.starts(with: bytes) }
    guard bytes.starts(with: start), let text = String(validating: bytes, as: UTF8.self) else {
      return false
    }
    let words = text.split(whereSeparator: \.isWhitespace)
    // A number without an end may be the beginning of another one.
    guard text.last?.isNewline == true else { return true }
    guard words.count >= 2, let version = UInt64(words[1]), version > 0 else { return false }
    guard version == 1, words.count == 2 else {
      throw SyncError(
        .formatNewer, "\(location) was set up by a newer version of cloudsync, as '\(name)' says.",
        hint: "Upgrade cloudsync on this device.")
    }
    return true
  }

  private static func note(_ name: String) -> String {
    "'\(name)' is not a marker of cloudsync and is ignored."
  }
}

import SyncKit

/// Reads from the markers of a remote its vault and the layout of a domain; the same for all layouts.
package struct MarkerCheck {
  /// The vaults whose data lie here.
  package let vaults: Set<String>
  /// What was passed over, each as a sentence.
  package let notes: [String]
  /// The top of the remote.
  let listing: BlobListing
  private let layouts: Set<String>
  private let domain: String
  private let blobs: any BlobStore

  /// Reads the markers.
  ///
  /// - Parameters:
  ///   - domain: The domain.
  ///   - blobs: The remote.
  ///   - top: Its top, if that was listed a moment ago.
  /// - Throws: ``SyncError`` `format.newer` when a newer version set the remote up.
  package init(
    of domain: String, in blobs: any BlobStore, top: BlobListing? = nil
  ) async throws {
    guard SegmentLayout.isFolderName(domain) else {
      throw SyncError(.bug, "The domain '\(domain)' cannot name a folder.")
    }
    self.domain = domain
    self.blobs = blobs
    listing = if let top { top } else { try await blobs.list("", .folder) }
    let markers = try await RemoteMarkers(listing, domain: domain, in: blobs)
    (vaults, layouts, notes) = (markers.vaults, markers.layouts, markers.notes)
  }

  /// The folders of a listing of the remote that hold a domain's segments.
  package static func folders(of domain: String, in listing: BlobListing) -> [String] {
    listing.folders.filter { RemoteFileName.isFolder($0, of: domain) }
  }

  /// Whether the domain is said to be kept in a layout here.
  package func keeps(_ layout: String) -> Bool { layouts.contains(layout) }

  /// Refuses a remote that keeps the domain in another layout.
  ///
  /// - Throws: ``SyncError`` `remote.layout`.
  package func check(layout: String) throws {
    guard let other = layouts.subtracting([layout]).min() else { return }
    throw SyncError(
      .remoteLayout,
      "\(blobs.location) keeps '\(domain)' in the layout '\(other)', this device is set to "
        + "'\(layout)'.",
      hint: "Set 'layout: \(other)' for '\(domain)' in the configuration, or convert the remote "
        + "with 'cloudsync \(domain) convert-layout'.")
  }

  /// Decides by the vaults, also those that something else than a marker names, and writes the
  /// markers that are due.
  ///
  /// - Returns: The ids of the vault the store belongs to from now on.
  /// - Throws: ``SyncError`` `remote.marker`, `remote.vault`.
  package func decide(
    _ identity: RemoteIdentity, layout: String, also: Set<String> = []
  ) async throws -> Set<String> {
    let decision = try identity.decide(found: vaults.union(also), location: blobs.location)
    switch decision {
    case .proceed(let write, let vault):
      for id in write.sorted() {
        guard UUIDText.isUUID(id) else {
          throw SyncError(.bug, "A vault's id is not a UUID: \(id)")
        }
        _ = try await blobs.put("root-\(id)", RemoteMarkers.content, replacing: false)
      }
      if layouts.isEmpty, identity.mayWrite { try await mark(layout) }
      return vault
    }
  }

  /// Writes down how the domain is kept here.
  package func mark(_ layout: String) async throws {
    let name = Self.marker(domain, layout)
    _ = try await blobs.put(name, RemoteMarkers.content, replacing: false)
  }

  /// Removes the mark of a domain's layout here.
  package func unmark(_ layout: String) async throws {
    try await blobs.delete(Self.marker(domain, layout))
  }

  private static func marker(_ domain: String, _ layout: String) -> String {
    "layout-\(domain)-\(layout)"
  }
}

import SyncKit

/// The file by which a replica says that it has removed a zone that was taken back:
/// `<zone>/erased-<replica>` below the domain's folder.
struct ErasureMarker: Hashable {
  private static let start = "erased-"

  let zone: ZoneID
  let replica: ReplicaID

  init(zone: ZoneID, replica: ReplicaID) {
    self.zone = zone
    self.replica = replica
  }

  /// Reads a path below the domain's folder; what a provider adds to the name of a copy is ignored.
  init?(path: some StringProtocol) {
    let parts = path.lowercased().split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, SegmentLayout.isFolderName(String(parts[0])) else { return nil }
    let name = PlaceName.uncovered(String(parts[1]))
    guard name.hasPrefix(Self.start) else { return nil }
    let id = name.dropFirst(Self.start.count).prefix(26)
    guard id.utf8.count == 26, let replica = ReplicaID(String(id)) else { return nil }
    self.init(zone: ZoneID(String(parts[0])), replica: replica)
  }

  var path: String { "\(zone)/\(Self.start)\(replica)" }
}

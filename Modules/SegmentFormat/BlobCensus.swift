import SyncKit

/// Sorts the blobs below a domain's folder into segments and other things.
///
/// A name that is as it should be is believed, since a fetch checks the content. Anything else may
/// be a copy that a provider made of a segment, so its content is looked at.
struct BlobCensus {
  /// No larger file is read: 256 MiB.
  static let maximumSize = 256 << 20
  /// The bytes of a file read to find out what it is.
  static let headLength = 64 << 10
  /// The most files looked into.
  private static let maximumLooks = 10_000

  private enum ListingProblem: Int, CaseIterable {
    case absent, foreign, elsewhere, newer, tooLarge, unseen
  }

  let domain: String
  private(set) var segments: [SegmentReference] = []
  /// The withdrawn zones, with the replicas that removed them.
  private(set) var erased: [ZoneID: Confirmations] = [:]
  private var oddities: [ListingProblem: (first: String, count: Int)] = [:]
  private var looks = 0

  init(domain: String) { self.domain = domain }

  /// Takes a blob of the listing of `folder`.
  mutating func take(_ blob: BlobEntry, below folder: String, in blobs: any BlobStore) async throws
  {
    if let size = blob.size, size > Self.maximumSize { return note(.tooLarge, blob.name) }
    // The folder itself may be a provider's copy.
    if let name = SegmentName(path: Substring(blob.name.utf8.dropFirst(folder.utf8.count + 1))) {
      // An empty file is what some providers leave of one that they have taken away or not brought yet, and a short one
      // what is on its way or was cut off. That shows also where the provider has not brought what it holds.
      let isShort = blob.size.map { size in size < name.length ?? 1 } ?? false
      segments.append(
        name.reference(
          at: blob.name, size: blob.isHere || isShort ? blob.size : nil,
          isHere: blob.isHere && !isShort))
      return
    }
    let below = Substring(blob.name.utf8.dropFirst(folder.utf8.count + 1))
    if let marker = ErasureMarker(path: below) {
      guard let bytes = try await blobs.peek(at: blob.name, upTo: ErasureMarker.limit),
        let kept = ErasureMarker.kept(bytes)
      else { return note(.absent, blob.name) }
      erased[marker.zone, default: Confirmations()].formUnion(
        Confirmations([marker.replica: kept]))
      return
    }
    if RemoteFileName.isPlaceholder(blob.name) || !blob.isHere || blob.size == 0 {
      expect(blob, below: folder)
      return note(.absent, blob.name)
    }
    if let size = blob.size, size < SegmentLayout.minimumLength {
      return note(expect(blob, below: folder) ? .absent : .foreign, blob.name)
    }
    guard looks < Self.maximumLooks else { return note(.unseen, blob.name) }
    looks += 1
    guard let bytes = try await blobs.peek(at: blob.name, upTo: Self.headLength) else {
      return note(.absent, blob.name)
    }
    recognise(blob, below: folder, bytes)
  }

  /// Counts the segment that a placeholder stands for as awaited until it can be fetched.
  ///
  /// - Returns: Whether it stands for one.
  @discardableResult
  private mutating func expect(_ blob: BlobEntry, below folder: String) -> Bool {
    let path = Substring(blob.name.utf8.dropFirst(folder.utf8.count + 1))
    guard let standIn = RemoteFileName.standIn(path), let name = SegmentName(path: standIn.path)
    else {
      return false
    }
    // Nothing of one that is on its way lies here, whatever of it does.
    segments.append(
      name.reference(at: blob.name, size: standIn.isHeld ? nil : 0, isHere: false))
    return true
  }

  private mutating func recognise(_ blob: BlobEntry, below folder: String, _ bytes: [UInt8]) {
    do {
      let (info, length) = try bytes.reading(allowingRest: true) { reader in
        let head = try SegmentHead(&reader)
        return (head.info, reader.offset + head.payloadLength + SegmentLayout.trailerLength)
      }
      guard info.domain == domain else { return note(.elsewhere, blob.name) }
      guard let name = SegmentName(info, length: length) else { return note(.foreign, blob.name) }
      let isShort = blob.size.map { $0 < length } ?? false
      segments.append(name.reference(at: blob.name, size: blob.size, isHere: !isShort))
    } catch let error as SyncError where error.code == .formatNewer {
      note(.newer, blob.name)
    } catch {
      let isComing = expect(blob, below: folder) || bytes.starts(with: SegmentLayout.magic)
      note(isComing ? .absent : .foreign, blob.name)
    }
  }

  private mutating func note(_ oddity: ListingProblem, _ name: String) {
    // What systems leave in every folder is not worth a word.
    if oddity == .foreign, RemoteFileName.lastPart(name).hasPrefix(".") { return }
    let known = oddities[oddity]
    oddities[oddity] = (known?.first ?? name, (known?.count ?? 0) + 1)
  }

  /// What was passed over, one sentence a kind.
  var notes: [String] {
    ListingProblem.allCases.compactMap { oddity in
      guard let (first, count) = oddities[oddity] else { return nil }
      let isOne = count == 1
      let subject = isOne ? "'\(first)'" : "'\(first)' and \(count - 1) more"
      switch oddity {
      case .absent: return "\(subject) \(isOne ? "is" : "are") not here yet."
      case .foreign: return "\(subject) \(isOne ? "is not a segment" : "are not segments")."
      case .elsewhere: return "\(subject) \(isOne ? "belongs" : "belong") to another domain."
      case .newer:
        return "\(subject) can only be read by a newer version of cloudsync; upgrade this device."
      case .tooLarge: return "\(subject) \(isOne ? "is" : "are") too large for a segment."
      case .unseen: return "\(subject) \(isOne ? "was" : "were") ignored: too many unknown files."
      }
    }
  }
}

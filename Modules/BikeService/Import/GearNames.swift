import SyncCrypto
import SyncKit

/// Maps the names of an export to gear: exports name bikes and never number them.
public struct GearNames: Sendable {
  private var ids: [String: String] = [:]
  /// New gear that is not known yet, by its id.
  public private(set) var unknown: [String: String] = [:]

  /// Knows nothing.
  public init() {}

  /// Knows the gear of the local store and the bikes of the synced one.
  ///
  /// - Throws: ``SyncKit/SyncError`` `store.damaged` and the like.
  public init(rides: SyncStore, bikes: SyncStore) throws {
    for record in try rides.records(.gear) + bikes.records(.bike) {
      if let name = record["name"].string { learn(name, is: record.key.id.text) }
    }
  }

  /// Sets the gear of a name, unless it has one.
  public mutating func learn(_ name: String, is id: String) {
    let key = name.folded
    if !key.isEmpty, ids[key] == nil { ids[key] = id }
  }

  /// Sets the gear of a name, even if it has one.
  public mutating func choose(_ name: String, is id: String) { ids[name.folded] = id }

  /// The known gear of a name.
  public func known(_ name: String) -> String? { ids[name.folded] }

  /// The gear of a name; for an unknown name an id that is the same on every device.
  mutating func id(of name: String) -> String {
    if let id = known(name) { return id }
    let id = Self.derivedID(of: name)
    ids[name.folded] = id
    unknown[id] = name
    return id
  }

  /// A readable form of the name, and a few digits to distinguish names that read the same.
  static func derivedID(of name: String) -> String {
    var slug = ""
    for byte in name.folded.utf8.prefix(40) {
      let isPlain = byte.isLetter || byte.isDigit
      if isPlain {
        slug.unicodeScalars.append(Unicode.Scalar(byte))
      } else if !slug.isEmpty, slug.last != "-" {
        slug += "-"
      }
    }
    if slug.last == "-" { slug.removeLast() }
    let digits = Base32.encode(SHA256.hash(Array(name.folded.utf8)).prefix(5))
    return slug.isEmpty ? "gear-\(digits)" : "\(slug)-\(digits)"
  }
}

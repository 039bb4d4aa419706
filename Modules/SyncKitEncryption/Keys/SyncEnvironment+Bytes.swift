import SyncKit

extension SyncEnvironment {
  /// Draws bytes, for keys, ids and salts.
  func randomBytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count { bytes += random().bigEndianBytes }
    return Array(bytes.prefix(count))
  }
}

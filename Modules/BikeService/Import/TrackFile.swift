import SyncKitFormats
import SyncKit

/// A recording of one ride or several, in any of the formats that devices write.
enum TrackFile {
  /// The formats, by the extension of a file's name.
  enum Format: String {
    case fit, gpx, tcx
  }

  /// The maximum size of an unpacked recording: 256 MiB.
  static let largest = 1 << 28

  /// The format by a file's name, whether it is packed or not; nil for other files.
  static func format(of path: String) -> Format? {
    var name = path.lowercased()
    if name.hasSuffix(".gz") { name.removeLast(3) }
    guard let point = name.lastIndex(of: ".") else { return nil }
    return Format(rawValue: String(name[name.index(after: point)...]))
  }

  /// Reads a recording, unpacking it if need be.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` with the fault and its place.
  static func rides(_ bytes: [UInt8], format: Format) throws -> [RecordedRide] {
    do {
      let plain =
        Gzip.isGzip(bytes) ? try Gzip.decompress(bytes, limit: Self.largest) : bytes
      let rides =
        switch format {
        case .fit: try FITActivity(plain).sessions
        case .gpx: try GPXFile.rides(plain)
        case .tcx: try TCXFile.rides(plain)
        }
      guard !rides.isEmpty else {
        throw SyncError(.inputInvalid, "the recording has no times")
      }
      return rides
    } catch let error as FITError {
      throw SyncError(.inputInvalid, "\(error)")
    } catch let error as XMLError {
      throw SyncError(.inputInvalid, "\(error)")
    } catch let error as ArchiveError {
      throw SyncError(.inputInvalid, "\(error)")
    }
  }
}

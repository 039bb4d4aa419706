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

  /// The format by the first bytes of an unpacked file; nil for other files.
  static func format(of bytes: [UInt8]) -> Format? {
    if FITReader.isFIT(bytes) { return .fit }
    let text = withoutLeadingBlanks(bytes).prefix(4096)
    guard text.first == UInt8(ascii: "<") else { return nil }
    let head = String(decoding: text, as: UTF8.self)
    if head.contains("<TrainingCenterDatabase") || head.contains(":TrainingCenterDatabase") {
      return .tcx
    }
    return head.contains("<gpx") || head.contains(":gpx") ? .gpx : nil
  }

  /// Unpacks a file if need be.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid`.
  static func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
    do {
      return Gzip.isGzip(bytes) ? try Gzip.decompress(bytes, limit: Self.largest) : bytes
    } catch {
      throw SyncError(.inputInvalid, "\(error)")
    }
  }

  /// Reads a recording, unpacking it if need be.
  ///
  /// What the file has counts, whatever its name says it has.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` with the fault and its place.
  static func read(
    _ bytes: [UInt8], format: Format, time: RecordingTime = RecordingTime { $0 }
  ) throws -> Recording {
    do {
      let plain = try unpacked(bytes)
      switch self.format(of: plain) ?? format {
      case .fit: return try FITActivity(plain).recording
      case .gpx: return try GPXFile.read(plain, time)
      case .tcx: return try TCXFile.read(plain, time)
      }
    } catch let error as FITError {
      throw SyncError(.inputInvalid, "\(error)")
    } catch let error as XMLError {
      throw SyncError(.inputInvalid, "\(error)")
    }
  }
}

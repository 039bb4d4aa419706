import FileTransport
import SQLiteStorage
import SQLiteTransport
import SegmentFormat
import SyncKit

/// A folder that plays a device: its settings and its store.
struct Replica {
  /// Where the device is.
  let path: String
  /// Where it meets others: `file:` or `sqlite:` and an absolute path.
  let remote: String
  private let device: String

  /// Makes a device with its remote as a URL, `file:PATH` or `sqlite:PATH`.
  init(making path: String, remote: String) throws {
    guard let place = Self.place(of: remote) else {
      throw SyncError(
        .inputInvalid, "'\(remote)' is no remote; it must be file:PATH or sqlite:PATH.")
    }
    self.path = path
    self.remote = "\(place.scheme):\(try POSIX.absolute(place.path))"
    device = UUIDText.random(from: Self.environment)
    try POSIX.makeFolder(path)
    let settings = "remote \(self.remote)\ndevice \(device)\n"
    try POSIX.write(Array(settings.utf8), to: path + "/settings")
  }

  /// Finds a device that was made before.
  init(at path: String) throws {
    var settings: [Substring: Substring] = [:]
    for line in String(decoding: try POSIX.read(path + "/settings"), as: UTF8.self).split(
      separator: "\n")
    {
      let words = line.split(separator: " ", maxSplits: 1)
      if words.count == 2 { settings[words[0]] = words[1] }
    }
    guard let remote = settings["remote"].map(String.init), Self.place(of: remote) != nil,
      let device = settings["device"]
    else { throw SyncError(.failure, "The settings in '\(path)' say no remote and device.") }
    self.path = path
    self.remote = remote
    self.device = String(device)
  }

  static var environment: SyncEnvironment {
    SyncEnvironment(now: POSIX.now, random: { UInt64.random(in: .min ... .max) })
  }

  /// Opens the store.
  func store() throws -> SyncStore {
    try SyncStore(
      CanonicalDomain(), storage: SQLiteStorage(path: path + "/bench.sqlite"),
      coding: DeflateSegmentCoding(), device: Device(id: device, name: "bench"),
      environment: Self.environment)
  }

  /// The engine that brings the store into step with the remote.
  func engine(_ store: SyncStore, isFirst: Bool = false) -> SyncEngine {
    let path = Self.place(of: remote)?.path ?? ""
    let transport: any Transport =
      remote.hasPrefix("\(SQLiteTransport.scheme):")
      ? SQLiteTransport(path: path, createIfParentExists: isFirst)
      : FileTransport(path: path, createIfParentExists: isFirst)
    return SyncEngine(
      store: store, remotes: [Remote("bench", location: remote, transport: transport)])
  }

  private static func place(of url: String) -> (scheme: String, path: String)? {
    for scheme in [FileTransport.scheme, SQLiteTransport.scheme] {
      let start = "\(scheme):"
      if url.hasPrefix(start), url.utf8.count > start.utf8.count {
        return (scheme, String(url.dropFirst(start.count)))
      }
    }
    return nil
  }
}

import FileTransport
import SQLiteStorage
import SegmentFormat
import SyncKit

/// A folder that plays a device: its settings and its store.
struct Replica {
  /// Where the device is.
  let path: String
  /// The folder where it meets others.
  let remote: String
  private let device: String

  /// Makes a device with its remote as a URL, `file:PATH`.
  init(making path: String, remote: String) throws {
    guard let folder = Self.folder(of: remote) else {
      throw SyncError(.inputInvalid, "'\(remote)' is no remote; it must be file:PATH.")
    }
    self.path = path
    self.remote = try POSIX.absolute(folder)
    device = UUIDText.random(from: Self.environment)
    try POSIX.makeFolder(path)
    let settings = "remote file:\(self.remote)\ndevice \(device)\n"
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
    guard let remote = settings["remote"].flatMap({ Self.folder(of: String($0)) }),
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
    let transport = FileTransport(path: remote, createIfParentExists: isFirst)
    return SyncEngine(
      store: store,
      remotes: [Remote("bench", location: "file:\(remote)", transport: transport)])
  }

  private static func folder(of url: String) -> String? {
    url.hasPrefix("file:") && url.utf8.count > 5 ? String(url.dropFirst(5)) : nil
  }
}

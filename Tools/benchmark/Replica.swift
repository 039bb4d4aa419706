import FileTransport
import HTTPNetwork
import SyncKitHTTP
import SQLiteStorage
import SQLiteTransport
import SegmentFormat
import SyncKit

/// A folder that plays a device: its settings and its store.
struct Replica {
  /// The folder of the device.
  let path: String
  /// Its remote: `file:` or `sqlite:` and an absolute path, or the `http:` of a server.
  let remote: String
  private let device: String

  /// Makes a device with its remote as a URL, `file:PATH`, `sqlite:PATH` or
  /// `http://127.0.0.1:PORT`.
  init(making path: String, remote: String) throws {
    guard let place = Self.place(of: remote) else {
      throw SyncError(
        .inputInvalid,
        "'\(remote)' is not a remote; it must be file:PATH, sqlite:PATH or http://127.0.0.1:PORT.")
    }
    self.path = path
    self.remote =
      place.scheme == "http" ? remote : "\(place.scheme):\(try POSIX.absolute(place.path))"
    device = UUIDText.random(from: Self.environment)
    try POSIX.makeFolder(path)
    let settings = "remote \(self.remote)\ndevice \(device)\n"
    try POSIX.write(Array(settings.utf8), to: path + "/settings")
  }

  /// Opens an existing device.
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
    else { throw SyncError(.failure, "The settings in '\(path)' name no remote or device.") }
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

  /// The engine that syncs the store with the remote.
  func engine(_ store: SyncStore, isFirst: Bool = false) throws -> SyncEngine {
    SyncEngine(
      store: store,
      remotes: [Remote("bench", location: remote, transport: try transport(isFirst: isFirst))])
  }

  private func transport(isFirst: Bool) throws -> any Transport {
    let (scheme, path) = Self.place(of: remote) ?? ("", "")
    switch scheme {
    case SQLiteTransport.scheme: return SQLiteTransport(path: path, createIfParentExists: isFirst)
    case "http":
      guard let address = ServerAddress(remote) else {
        throw SyncError(.inputInvalid, "'\(remote)' is not the address of a server.")
      }
      return try HTTPTransport(
        ServerAccess(address: address, environment: Self.environment, token: { nil }))
    default: return FileTransport(path: path, createIfParentExists: isFirst)
    }
  }

  private static func place(of url: String) -> (scheme: String, path: String)? {
    for scheme in [FileTransport.scheme, SQLiteTransport.scheme, "http"] {
      let start = "\(scheme):"
      if url.hasPrefix(start), url.utf8.count > start.utf8.count {
        return (scheme, String(url.dropFirst(start.count)))
      }
    }
    return nil
  }
}

import RealServer
import SyncKit

/// The medium of a remote.
enum Medium: String, CaseIterable {
  case file, sqlite, http

  /// The name in tables for a candidate on this medium.
  func name(of candidate: String) -> String {
    switch self {
    case .file: candidate
    case .sqlite: "\(candidate), SQLite"
    case .http: "\(candidate), HTTP"
    }
  }
}

/// A remote for two devices, and its content.
final class SharedRemote {
  /// The URL for devices.
  let url: String
  private let folder: String
  private let server: ServerProcess?
  private let numbers: String

  /// Creates a remote in a new folder; starts a server if it needs one.
  init(_ medium: Medium, in folder: String, tool: String) throws {
    self.folder = folder
    numbers = "\(folder).numbers"
    switch medium {
    case .file:
      url = "file:\(folder)"
      server = nil
    case .sqlite:
      try POSIX.makeFolder(folder)
      url = "sqlite:\(folder)/shared.sqlite"
      server = nil
    case .http:
      let server = ServerProcess(
        program: tool, folder: folder, options: ["--metrics", "unix:\(numbers)"])
      try server.start()
      self.server = server
      url = "http://127.0.0.1:\(server.port)"
    }
  }

  deinit { server?.stop() }

  /// The bytes of the files there, and their number.
  var content: (bytes: Int, files: Int) {
    let files = POSIX.files(below: folder)
    return (files.values.reduce(0, +), files.count)
  }

  /// The peak memory of its server; nil without one.
  var peak: Int? { server.flatMap { ProcessUsage(of: $0.process)?.peak } }

  /// The number of bytes that its server has received and sent, headers included; nil without one.
  var wire: Int? {
    get throws {
      guard server != nil else { return nil }
      let page = try POSIX.ask(
        numbers, "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      var total = 0
      for name in ["cloudsync_received_bytes_total", "cloudsync_sent_bytes_total"] {
        let line = page.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
        guard let count = line.flatMap({ Int($0.split(separator: " ").last ?? "") }) else {
          throw SyncError(.failure, "The server does not report its traffic.")
        }
        total += count
      }
      return total
    }
  }
}

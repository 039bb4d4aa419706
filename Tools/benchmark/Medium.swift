import RealServer
import SyncKit

/// Where two devices meet.
enum Medium: String, CaseIterable {
  case file, sqlite, http

  /// What the tables call a candidate that meets others there.
  func name(of candidate: String) -> String {
    switch self {
    case .file: candidate
    case .sqlite: "\(candidate), SQLite"
    case .http: "\(candidate), HTTP"
    }
  }
}

/// A place of a medium, made for two devices, and what they leave there.
final class SharedRemote {
  /// What devices are told.
  let url: String
  private let folder: String
  private let server: ServerProcess?
  private let numbers: String

  /// Makes a place in a folder, which is made; a server is started with it.
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

  /// The most memory that its server has held; nil without one.
  var peak: Int? { server.flatMap { ProcessUsage(of: $0.process)?.peak } }

  /// How many bytes its server has received and sent, headers and all; nil without one.
  var wire: Int? {
    get throws {
      guard server != nil else { return nil }
      let page = try POSIX.ask(
        numbers, "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      var total = 0
      for name in ["cloudsync_received_bytes_total", "cloudsync_sent_bytes_total"] {
        let line = page.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
        guard let count = line.flatMap({ Int($0.split(separator: " ").last ?? "") }) else {
          throw SyncError(.failure, "The server does not say how much it has carried.")
        }
        total += count
      }
      return total
    }
  }
}

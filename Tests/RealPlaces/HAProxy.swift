#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Debian's HAProxy before several servers: it takes them in turn, without affinity, as long as their `/readyz` says 200.
public final class HAProxy: Sendable {
  /// Where it listens on 127.0.0.1.
  public let port: UInt16
  private let process: PlaceProcess

  /// Starts it.
  ///
  /// - Parameters:
  ///   - servers: The ports of the servers on 127.0.0.1.
  ///   - folder: Where its settings and its output are put.
  /// - Throws: ``PlaceFailure`` when it is not installed or does not start.
  public init(before servers: [UInt16], in folder: String) throws {
    port = try PlaceProcess.freePort()
    let lines = servers.enumerated().map { "  server s\($0 + 1) 127.0.0.1:\($1) check" }
    try PlaceTools.write(
      """
      defaults
        mode http
        timeout connect 1s
        timeout client 90s
        timeout server 90s
        timeout check 1s
        option redispatch
        default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
      listen sync
        bind 127.0.0.1:\(port)
        balance roundrobin
        option httpchk
        http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost
        http-check expect status 200
      \(lines.joined(separator: "\n"))

      """, to: "\(folder)/haproxy.cfg", mode: 0o644)
    process = try PlaceProcess(
      [try peer("haproxy"), "-db", "-f", "\(folder)/haproxy.cfg"], listeningOn: port, in: folder)
  }

  /// What it has written.
  public var output: String { process.output }

  /// Ends it.
  public func stop() { process.stop() }
}

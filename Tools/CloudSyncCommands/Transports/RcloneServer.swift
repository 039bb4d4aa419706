import CommandFoundation
import CurlNetwork
import LocalMachine
import SyncKit
import SyncKitHTTP
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The person's rclone as a WebDAV server on this machine, for this process alone.
///
/// It is started at the first request, with a password of chance that only its environment has, and ends within a
/// second of this process, however that ends.
final class RcloneServer: Sendable {
  static let user = "cloudsync"
  /// An older one has no server of WebDAV that keeps to the protocol.
  private static let oldest = (1, 56)
  /// How long a listing may be remembered, since other devices write there too.
  private static let memory = "1s"

  private static let known = Mutex<[String: RcloneServer]>([:])

  let password: String
  private let remote: String
  private let program: String
  private let address: ServerAddress
  private let environment: SyncEnvironment
  /// Held while it is being started.
  private let isStarted = Mutex(false)

  /// The server for a folder, one for each in a process; nothing is started yet.
  ///
  /// - Throws: ``SyncError`` `remote.unavailable` when this machine has no free port.
  static func shared(
    _ remote: String, program: String, environment: SyncEnvironment
  ) throws(SyncError) -> RcloneServer {
    try known.withLock { known throws(SyncError) in
      if let server = known["\(program) \(remote)"] { return server }
      let server = try RcloneServer(remote, program, environment)
      known["\(program) \(remote)"] = server
      return server
    }
  }

  private init(
    _ remote: String, _ program: String, _ environment: SyncEnvironment
  ) throws(SyncError) {
    // It is free again at once, and rclone takes it at the first request.
    guard let port = try? LoopbackListener().port,
      let address = ServerAddress("http://127.0.0.1:\(port)")
    else {
      throw SyncError(
        .remoteUnavailable, "This machine has no free port for rclone.", hint: "Try again later.")
    }
    self.remote = remote
    self.program = program
    self.address = address
    self.environment = environment
    password = (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
  }

  /// How it is reached.
  var access: ServerAccess {
    ServerAccess(
      address: address, environment: environment,
      carrier: { access in StartingCarrier(server: self, next: try CurlCarrier(access)) })
  }

  /// Starts it, unless it runs.
  ///
  /// - Throws: ``SyncError`` `program.missing`, or `remote.unavailable` with what rclone says.
  func start() throws(SyncError) {
    try isStarted.withLock { isStarted throws(SyncError) in
      guard !isStarted else { return }
      try checkVersion()
      let outcome = try run(
        [
          "/bin/sh", "-c", Self.script, "sh", program, "serve", "webdav", remote, "--addr",
          "127.0.0.1:\(address.port)", "--dir-cache-time", Self.memory, "--ask-password=false",
          // What it says is read here, whatever the environment wants to be done with it.
          "--log-file=", "--log-level=NOTICE", "--use-json-log=false",
        ],
        [
          "RCLONE_USER": Self.user, "RCLONE_PASS": password, "OWNER": "\(getpid())",
        ])
      guard outcome.status == 0 else {
        throw SyncError(
          .remoteUnavailable, "rclone cannot serve '\(Sanitized.line(remote))'.",
          hint: "Check it with 'rclone lsf \(Sanitized.line(remote))'.",
          cause: Sanitized.line(outcome.text))
      }
      isStarted = true
    }
  }

  /// Starts rclone, says when it serves, and leaves behind what ends it with its owner.
  private static let script = """
    log=$(mktemp) || exit 74
    "$@" </dev/null >/dev/null 2>"$log" &
    child=$!
    (
      while kill -0 "$OWNER" && kill -0 "$child"; do sleep 1; done
      kill "$child"
      rm -f "$log"
    ) </dev/null >/dev/null 2>&1 &
    tries=0
    while [ "$tries" -lt 300 ]; do
      grep -q 'http://127[.]0[.]0[.]1:' "$log" && exit 0
      kill -0 "$child" 2>/dev/null || break
      sleep 0.1
      tries=$((tries + 1))
    done
    grep -v NOTICE "$log" | tail -n 2
    exit 1
    """

  private func checkVersion() throws(SyncError) {
    let outcome = try run([program, "version"], [:])
    guard outcome.status == 0, Self.isNewEnough(outcome.text) else {
      throw SyncError(
        .programMissing, "'\(Sanitized.line(program))' is not rclone, or too old.",
        hint: "Install version \(Self.oldest.0).\(Self.oldest.1) or newer from rclone.org.",
        cause: Sanitized.line(String(outcome.text.prefix(80))))
    }
  }

  /// Whether what `rclone version` prints is that of a version with a server that keeps to the protocol.
  ///
  /// Some distributions leave out the `v` before the number.
  static func isNewEnough(_ text: String) -> Bool {
    guard
      let line = text.split(whereSeparator: \.isNewline).first(where: { $0.hasPrefix("rclone ") })
    else { return false }
    let number = line.drop { !$0.isNumber }.prefix { $0.isNumber || $0 == "." }
    let parts = number.split(separator: ".").compactMap { Int($0) }
    return parts.count >= 2 && (parts[0], parts[1]) >= oldest
  }

  private func run(
    _ command: [String], _ variables: [String: String]
  ) throws(SyncError) -> (status: Int32, text: String) {
    do throws(SystemError) {
      let (status, output) = try ChildProcess.run(
        command, variables: variables, hidesErrors: true, seconds: 60)
      return (status, String(decoding: output, as: UTF8.self))
    } catch {
      throw SyncError(
        .programMissing, "The program '\(Sanitized.line(program))' cannot be run.",
        hint: "Install rclone, on Debian with 'apt install rclone', or set 'rclone' of the remote.",
        cause: error.description)
    }
  }
}

/// Starts the server before the first request.
private struct StartingCarrier: RequestCarrier {
  let server: RcloneServer
  let next: any RequestCarrier

  func carry(_ request: CarriedRequest) async throws -> CarriedAnswer {
    try server.start()
    return try await next.carry(request)
  }
}

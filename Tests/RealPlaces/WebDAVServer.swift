#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A real WebDAV server on loopback, with a folder that a test can look into.
public struct WebDAVServer: Sendable {
  /// Which one it is.
  public enum Kind: String, CaseIterable, Sendable {
    case apache, nginx, wsgidav, rclone
    /// The version in Debian, some years older.
    case olderRclone
  }

  /// How it lets people in.
  public enum Authentication: Sendable {
    case basic, digest
  }

  /// Whom it lets in; the password has what makes trouble in header fields and URLs.
  public static let user = "anna"
  /// Her password.
  public static let password = "two words: 50% \u{00E9}"

  /// The address of the collection, without a slash at its end.
  public let address: String
  /// The folder behind it on this machine.
  public let folder: String
  /// The program.
  public let process: PlaceProcess

  /// Starts one in a new folder of a test.
  ///
  /// - Parameters:
  ///   - kind: Which one.
  ///   - authentication: How it lets people in.
  ///   - clock: How far its clock is from that of this machine, as `faketime` takes it; Apache alone.
  /// - Throws: ``PlaceFailure`` when it does not start.
  public init(
    _ kind: Kind, _ authentication: Authentication = .basic, clock: String? = nil
  ) throws {
    let base = try placeFolder()
    folder = "\(base)/files"
    mkdir(folder, 0o777)
    chmod(folder, 0o777)
    let port = try PlaceProcess.freePort()
    address = "http://127.0.0.1:\(port)"
    process =
      switch kind {
      case .apache: try Self.apache(port, base, authentication, clock)
      case .nginx: try Self.nginx(port, base)
      case .wsgidav: try Self.wsgidav(port, base, authentication)
      case .rclone: try Self.rclone(try peer("rclone"), port, base)
      case .olderRclone: try Self.rclone("/usr/bin/rclone", port, base)
      }
  }

  private static func apache(
    _ port: UInt16, _ base: String, _ authentication: Authentication, _ clock: String?
  ) throws -> PlaceProcess {
    let modules = "/usr/lib/apache2/modules"
    let names = [
      "mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_basic",
      "auth_digest", "dav", "dav_fs", "dir",
    ]
    let load = names.map { "LoadModule \($0)_module \(modules)/mod_\($0).so" }
    let people =
      authentication == .digest
      ? """
      AuthType Digest
      AuthName files
      AuthDigestProvider file
      AuthUserFile \(base)/people
      """
      : """
      AuthType Basic
      AuthName files
      AuthUserFile \(base)/people
      """
    try PlaceTools.write(
      """
      \(load.joined(separator: "\n"))
      ServerRoot \(base)
      ServerName 127.0.0.1
      Listen 127.0.0.1:\(port)
      PidFile \(base)/httpd.pid
      ErrorLog \(base)/error.log
      User www-data
      Group www-data
      DavLockDB \(base)/locks
      DocumentRoot \(base)/files
      <Directory \(base)/files>
        Dav On
        \(people)
        Require valid-user
      </Directory>
      """, to: "\(base)/httpd.conf", mode: 0o644)
    try PlaceTools.write(
      authentication == .digest
        ? "\(user):files:\(try output("printf %s \"$1\" | md5sum | cut -c1-32", "\(user):files:\(password)"))\n"
        : "\(user):\(try output("openssl passwd -apr1 \"$1\"", password))\n", to: "\(base)/people",
      mode: 0o644)
    let elsewhen = try clock.map { [try peer("faketime"), "-f", $0] } ?? []
    return try PlaceProcess(
      elsewhen + [try peer("apache2"), "-f", "\(base)/httpd.conf", "-DFOREGROUND"],
      listeningOn: port, in: base)
  }

  private static func nginx(_ port: UInt16, _ base: String) throws -> PlaceProcess {
    try PlaceTools.write(
      """
      load_module /usr/lib/nginx/modules/ngx_http_dav_ext_module.so;
      daemon off;
      user www-data;
      pid \(base)/nginx.pid;
      error_log \(base)/error.log;
      events {}
      http {
        access_log off;
        client_body_temp_path \(base)/uploads;
        client_max_body_size 300m;
        server {
          listen 127.0.0.1:\(port);
          root \(base)/files;
          auth_basic files;
          auth_basic_user_file \(base)/people;
          location / {
            dav_methods PUT DELETE MKCOL COPY MOVE;
            dav_ext_methods PROPFIND OPTIONS;
            dav_access user:rw group:rw all:rw;
          }
        }
      }
      """, to: "\(base)/nginx.conf", mode: 0o644)
    mkdir("\(base)/uploads", 0o777)
    chmod("\(base)/uploads", 0o777)
    try PlaceTools.write(
      "\(user):\(try output("openssl passwd -apr1 \"$1\"", password))\n", to: "\(base)/people",
      mode: 0o644)
    return try PlaceProcess(
      [try peer("nginx"), "-p", base, "-c", "\(base)/nginx.conf"], listeningOn: port, in: base)
  }

  private static func wsgidav(
    _ port: UInt16, _ base: String, _ authentication: Authentication
  ) throws -> PlaceProcess {
    try PlaceTools.write(
      """
      host: 127.0.0.1
      port: \(port)
      provider_mapping: {"/": "\(base)/files"}
      http_authenticator:
        domain_controller: null
        accept_basic: \(authentication == .basic)
        accept_digest: true
        default_to_digest: \(authentication == .digest)
      simple_dc:
        user_mapping: {"*": {"\(user)": {"password": "\(password)"}}}
      """, to: "\(base)/wsgidav.yaml", mode: 0o644)
    return try PlaceProcess(
      [try peer("wsgidav"), "--config", "\(base)/wsgidav.yaml"], listeningOn: port, in: base)
  }

  private static func rclone(
    _ program: String, _ port: UInt16, _ base: String
  ) throws -> PlaceProcess {
    try PlaceProcess(
      [
        program, "serve", "webdav", "\(base)/files", "--addr", "127.0.0.1:\(port)",
        "--config", "\(base)/rclone.conf", "--dir-cache-time", "100ms",
      ], listeningOn: port, in: base, variables: ["RCLONE_USER": user, "RCLONE_PASS": password])
  }

  /// What a line of the shell prints, given an argument.
  private static func output(_ line: String, _ argument: String) throws -> String {
    let quoted =
      "'"
      + argument.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
    guard let pipe = popen("set -- \(quoted); \(line)", "r") else {
      throw PlaceFailure("no shell: \(line)")
    }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = fread(&bytes, 1, bytes.count, pipe)
    guard pclose(pipe) == 0 else { throw PlaceFailure("failed: \(line)") }
    return String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n").first.map(
      String.init) ?? ""
  }
}

import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitServer
import SyncWire

/// `cloudsync serve`.
struct ServeCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: ServerProgram.serve.name, abstract: ServerProgram.serve.abstract,
    discussion: examples(
      "\(program) serve",
      "\(program) serve --listen 127.0.0.1:8765 --trusted-proxy --metrics 127.0.0.1:9465",
      "\(program) serve --listen 0.0.0.0:8443 --tls-cert fullchain.pem --tls-key privkey.pem",
      "\(program) serve --listen unix:/run/cloudsync/socket --auth none",
      "\(program) serve --store postgres://db.example.org/cloudsync",
      "\(program) serve --store postgres://pooler.example.org:6432/cloudsync --store-session postgres://db.example.org/cloudsync",
      "\(program) serve --blobs s3://club-bodies/sync --blobs-from 262144",
      after: """
        The first line of standard output is the address; the log goes to standard error, each \
        request with -v. Invite the first device with '\(program) server invite NAME'; let a \
        program in with '\(program) token create NAME --scope sync'. SIGTERM and SIGINT stop the \
        server after it has answered the requests under way.
        Servers with one --store share its data, and a load balancer may stand before them. What its address leaves \
        out comes from PostgreSQL's own variables and files, such as PGPASSFILE. Transactions may go through a pooler in \
        transaction mode; what lasts longer then needs --store-session.
        With --blobs, bodies of 64 KiB and more are kept in a bucket of AWS or another S3 service, written as \
        s3:https://HOST/BUCKET/PREFIX then. Keys come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, from \
        ~/.aws/credentials, from the machine, or from 'server.blobs-access-key' and 'server.blobs-secret-key'.
        Exit status: 0 stopped; 69 the database or the bucket cannot be reached; 75 another server uses the folder or the address; 77 the bucket refuses the keys; 78 the server would be \
        open to others without tokens and encryption, or others can read the folder.
        """))

  @Option(help: ArgumentHelp("Listen here; port 0 for a free one.", valueName: "host:port"))
  var listen: String?
  @OptionGroup var folder: ServerFolderOption
  @Option(
    help: ArgumentHelp(
      "Keep bodies of that many bytes and more in the bucket (default: 65536).", valueName: "bytes")
  )
  var blobsFrom: Int?
  @Option(
    help: ArgumentHelp("The certificate with its chain, PEM.", valueName: "file"),
    completion: .file())
  var tlsCert: String?
  @Option(
    help: ArgumentHelp("The key of the certificate, PEM.", valueName: "file"), completion: .file())
  var tlsKey: String?
  @Flag(
    help: "A proxy encrypts and passes on the caller's address; nothing else reaches this server.")
  var trustedProxy = false
  @Option(help: ArgumentHelp("How callers authenticate: token or none.", valueName: "how"))
  var auth: ServerSettings.Authentication?
  @Option(help: ArgumentHelp("Serve Prometheus metrics here, at /metrics.", valueName: "host:port"))
  var metrics: String?
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    guard (tlsCert == nil) == (tlsKey == nil) else {
      throw ValidationError("--tls-cert and --tls-key must be given together")
    }
    guard blobsFrom ?? 0 >= 0 else { throw ValidationError("--blobs-from takes a number of bytes") }
  }

  func run(_ context: CommandContext) async throws {
    var settings = try settings(context)
    if let bucket = try folder.bucket(context, from: blobsFrom) {
      settings.blobs = bucket.blobs
      try await bucket.warn(context)
    }
    let server = SyncServer(
      settings, environment: context.serverEnvironment, log: context.serverLog)
    let isEncrypted = settings.tls != nil
    try await server.run { context.announce($0, isEncrypted: isEncrypted) }
  }

  /// What the options say, and for the rest the configuration.
  @MainActor private func settings(_ context: CommandContext) throws -> ServerSettings {
    let request = context.directoryRequest
    let configured = try context.configuration().values.server
    var settings = ServerSettings(
      listen: try Self.address(listen ?? configured.listen, "--listen"),
      data: try folder.path(context))
    settings.database = try folder.database(context)
    if let tlsCert, let tlsKey {
      settings.tls = ServerSettings.CertificateFiles(
        certificate: try request.absolute(tlsCert), key: try request.absolute(tlsKey))
    } else if (configured.certificate == nil) != (configured.key == nil) {
      throw SyncError(
        .configInvalid, "'server' has only one of 'tls-cert' and 'tls-key'",
        hint: "set both or neither")
    } else if let certificate = configured.certificate, let key = configured.key {
      settings.tls = ServerSettings.CertificateFiles(certificate: certificate, key: key)
    }
    if !configured.proxies.isEmpty {
      settings.proxy = .addresses(configured.proxies)
    } else if trustedProxy || configured.isBehindProxy {
      settings.proxy = .everybody
    }
    settings.authentication =
      auth ?? ServerSettings.Authentication(rawValue: configured.authentication) ?? .token
    settings.url = configured.url
    if let file = settings.tls?.certificate {
      settings.linkMark = { OwnCertificate.mark(certificate: file) }
    }
    settings.metrics = try (metrics ?? configured.metrics).map { try Self.address($0, "--metrics") }
    return settings
  }

  private static func address(_ text: String, _ option: String) throws(SyncError) -> ServerAddress {
    guard let address = ServerAddress(text) else {
      throw SyncError(
        .usage, "'\(Sanitized.line(text))' is not an address for \(option)",
        hint: "write it as 127.0.0.1:8765, [::1]:8765 or unix:/run/cloudsync/socket")
    }
    return address
  }
}

extension ServerSettings.Authentication: ExpressibleByArgument {}

extension CommandContext {
  /// The time and chance of a server.
  var serverEnvironment: SyncEnvironment {
    SyncEnvironment(now: terminal.now, random: { UInt64.random(in: .min ... .max) })
  }

  /// The log of a server: what it does, with `-v` every request, with `-q` only failures.
  var serverLog: ServerLog {
    let error = terminal.error
    let level: ServerLog.Level =
      verbosity > 0 ? .request : isQuiet || format.isJSON ? .error : .notice
    return ServerLog(
      logFormat == .json ? .json : .text, level: level, now: terminal.now,
      write: { error.write($0) })
  }

  /// Prints where a server listens, at once.
  func announce(_ address: ServerAddress, isEncrypted: Bool) {
    let url: String
    if case .host = address {
      url = "\(isEncrypted ? "https" : "http")://\(address)"
    } else {
      url = "\(address)"
    }
    print(
      Report(
        "cloudsync.serve/1", ["url": .string(url), "address": .string("\(address)")],
        table: ReportTable([ReportTable.Column("url")], rows: [[ReportTable.Cell(url)]]),
        text: "\(url)\n"))
    terminal.output.flush()
  }
}

import LocalMachine
import CommandFoundation
import SyncKitFormats
import SyncKit

/// Sends one event to one hook.
struct HookCall {
  let hook: Configuration.Hook
  let event: HookEvent
  let context: CommandContext

  /// The answers of a hook.
  enum Answer: Equatable {
    case done
    /// A command before a run asked to skip it.
    case skip
  }

  /// How long a hook may take, in seconds.
  static let patience = 60

  /// Sends the event.
  ///
  /// - Throws: ``SyncError`` `hook.failed` if it cannot be reached or fails; the message has no secret.
  func perform() async throws -> Answer {
    let environment = context.terminal.environment
    switch hook.kind {
    case .command(let words, let skipStatus): return try run(words, skipStatus)
    case .webhook(let url):
      try await send(
        "POST", try url.read(environment: environment), [("Content-Type", "application/json")],
        JSON.object(event.document).serialized())
    case .healthchecks(let url):
      let base = try url.read(environment: environment)
      try await send("POST", Self.healthchecks(base, event), [], summary)
    case .uptimeKuma(let url):
      let isUp = event.exit ?? 0 == 0
      let query =
        "status=\(isUp ? "up" : "down")&msg=\(PercentEncoding.encode(event.title))"
        + "&ping=\(Int(event.seconds * 1_000))"
      let base = try url.read(environment: environment)
      let bare = base.prefix { $0 != "?" }
      try await send("GET", "\(bare)?\(query)", [], [])
    case .ntfy(let server, let topic):
      let name = try topic.read(environment: environment)
      let isBad = [.failure, .stale, .conflict].contains(event.moment)
      try await send(
        "POST",
        "\(server.hasSuffix("/") ? String(server.dropLast()) : server)/\(PercentEncoding.encode(name))",
        [
          ("Title", PercentEncoding.header(event.title)), ("Priority", isBad ? "high" : "default"),
          ("Tags", isBad ? "warning" : "white_check_mark"),
        ], Array(event.text.utf8))
    }
    return .done
  }

  /// The address of Healthchecks for an event: the start, the end with its status, or a line of its log.
  static func healthchecks(_ base: String, _ event: HookEvent) -> String {
    let bare = base.hasSuffix("/") ? String(base.dropLast()) : base
    let part: String
    switch (event.moment, event.exit) {
    case (.before, _), (.start, _): part = "start"
    case (.conflict, _), (.stale, _), (.after, _): part = "log"
    // Another run was active, which is not a failure.
    case (_, 75): part = "log"
    case (_, let exit): part = "\(exit ?? 0)"
    }
    return "\(bare)/\(part)?rid=\(event.run)"
  }

  /// The body: the whole event if configured, or only its title and text.
  private var summary: [UInt8] {
    hook.sendsLog
      ? JSON.object(event.document).serialized() : Array("\(event.title)\n\(event.text)\n".utf8)
  }

  private func run(_ words: [String], _ skipStatus: Int) throws -> Answer {
    let folder: ScratchFolder
    let result: (status: Int32, output: [UInt8])
    do throws(SystemError) {
      folder = try ScratchFolder(in: try stateFolder())
      let input = LocalFolder.path(folder.path, "event.json")
      try LocalFile.replace(input, with: JSON.object(event.document).serialized() + [0x0A])
      result = try ChildProcess.run(
        words, input: input,
        variables: [
          "CLOUDSYNC_EVENT": event.moment.rawValue, "CLOUDSYNC_RUN": event.run,
          "CLOUDSYNC_EXIT": event.exit.map { "\($0)" } ?? "",
        ], seconds: Self.patience)
    } catch {
      throw failed(error.description)
    }
    if event.moment == .before, Int(result.status) == skipStatus { return .skip }
    guard result.status == 0 else { throw failed("it ended with status \(result.status)") }
    return .done
  }

  private func stateFolder() throws(SystemError) -> String {
    let folder: String
    do { folder = try context.directories().state } catch {
      throw SystemError("find the state folder", number: 2)
    }
    try LocalFolder.create(folder)
    return folder
  }

  private func send(
    _ method: String, _ url: String, _ headers: [(String, String)], _ body: [UInt8]
  ) async throws {
    var limits = HTTPFetcher.Limits()
    limits.whole = .seconds(30)
    let fetcher = HTTPFetcher(environment: context.terminal.environment, limits: limits)
    do {
      let answer = try await fetcher.fetch(
        WebRequest(
          method: method, url: url, headers: headers.map { (name: $0.0, value: $0.1) }, body: body))
      guard 200..<300 ~= answer.status else { throw failed("it answered \(answer.status)") }
    } catch let error as WebFault {
      throw failed("\(error)")
    } catch let error as SyncError where error.code == .inputInvalid {
      // The message would repeat the address, which may be a secret.
      throw failed("its address is not http or https")
    }
  }

  private func failed(_ reason: String) -> SyncError {
    SyncError(
      .hookFailed, "the hook '\(hook.name)' failed: \(reason)", isSafe: false)
  }
}

extension SyncError.Code {
  /// A required hook failed.
  static let hookFailed = Self("hook.failed", exit: 1, retryable: true)
}

extension PercentEncoding {
  /// A text for a header: ASCII on one line.
  static func header(_ text: String) -> String {
    String(text.unicodeScalars.map { 0x20...0x7E ~= $0.value ? Character($0) : "?" })
  }
}

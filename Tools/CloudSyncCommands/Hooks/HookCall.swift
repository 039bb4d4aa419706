import CommandFoundation
import SyncKitFormats
import SyncKit

/// Tells one hook of one event.
struct HookCall {
  let hook: Configuration.Hook
  let event: HookEvent
  let context: CommandContext

  /// What a hook may answer.
  enum Answer: Equatable {
    case done
    /// A command before a run has said that it shall be passed over.
    case skip
  }

  /// How long a hook may take, in seconds.
  static let patience = 60

  /// Tells it.
  ///
  /// - Throws: ``SyncError`` `hook.failed` when it cannot be told or fails; a secret is never in it.
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
    // Another run was at work, which is no failure.
    case (_, 75): part = "log"
    case (_, let exit): part = "\(exit ?? 0)"
    }
    return "\(bare)/\(part)?rid=\(event.run)"
  }

  /// What is sent along: the whole event when that is wanted, or nothing but its title.
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
    guard result.status == 0 else { throw failed("it ended with \(result.status)") }
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
      guard 200..<300 ~= answer.status else { throw failed("it answers \(answer.status)") }
    } catch let error as WebFault {
      throw failed("\(error)")
    } catch let error as SyncError where error.code == .inputInvalid {
      // The message would repeat the address, which may be a secret.
      throw failed("its address is none of http or https")
    }
  }

  private func failed(_ reason: String) -> SyncError {
    SyncError(
      .hookFailed, "the hook '\(hook.name)' failed: \(reason)", isSafe: false)
  }
}

extension SyncError.Code {
  /// A hook that must work did not.
  static let hookFailed = Self("hook.failed", exit: 1, retryable: true)
}

extension PercentEncoding {
  /// A text for a header, which has nothing but ASCII in one line.
  static func header(_ text: String) -> String {
    String(text.unicodeScalars.map { 0x20...0x7E ~= $0.value ? Character($0) : "?" })
  }
}

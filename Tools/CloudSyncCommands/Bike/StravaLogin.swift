import LocalMachine
import ArgumentParser
import BikeService
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync bike strava login`.
struct StravaLogin: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Ask Strava for access in the browser.",
    discussion: examples(
      "cloudsync bike strava login", "cloudsync bike strava login --manual",
      "cloudsync bike strava login --answer \"http://localhost/?state=…&code=…\"",
      after: """
        It prints the address of a page. Open the page in a browser on this machine, and the \
        browser passes the answer to this command. If the browser is on another machine, use \
        --manual: open the page there, and paste the address at which the browser ends, even if it \
        shows an error; or pass that address with --answer.
        """))

  @Flag(help: "Print the page's address, and read the browser's last address from standard input.")
  var manual = false
  @Option(
    help: ArgumentHelp(
      "The browser's last address, or the code in it.", valueName: "url"))
  var answer: String?
  @Option(help: ArgumentHelp("How long to wait for the browser.", valueName: "duration"))
  var wait = "5m"
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    guard let patience = DurationText.parse(wait), patience > 0, patience <= 3_600_000 else {
      throw SyncError(.usage, "--wait takes a duration up to 1h, such as 5m")
    }
    let session = try Session(context)
    let account = try StravaAccount(session)
    let lock = try await StoreLock(session.stravaLock(), wait: .seconds(5))
    defer { lock.release() }
    let (code, scope) = try answerOfBrowser(account, context, patience: patience)
    let name = try await account.client().logIn(code: code, scope: scope)
    let allowed = scope ?? ""
    if scope != nil, !allowed.contains("activity:read") {
      context.warn("Strava did not grant access to rides; log in again and leave the boxes checked")
    }
    context.print(
      Report(
        "cloudsync.bike.strava-login/1",
        [
          "athlete": name.map { .string($0) } ?? .null, "scope": scope.map { .string($0) } ?? .null,
        ],
        text: ""))
    context.note("logged in to Strava\(name.map { " as \(Sanitized.line($0))" } ?? "")")
  }

  private func answerOfBrowser(
    _ account: StravaAccount, _ context: CommandContext, patience: Int64
  ) throws -> (code: String, scope: String?) {
    if let answer { return try code(in: answer, state: nil) }
    let state = Base32.encode(
      (0..<2).flatMap { _ in
        withUnsafeBytes(of: account.session.environment.random()) { Array($0) }
      })
    if manual {
      say(account.access.authorizationPage(redirect: "http://localhost/", state: state), context)
      context.terminal.error.write("Then paste the browser's last address: ")
      let bytes: [UInt8]
      do throws(SystemError) { bytes = try context.terminal.read() } catch {
        throw SyncError(.inputMissing, error.description)
      }
      let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
      return try code(in: String(decoding: line, as: UTF8.self), state: state)
    }
    let listener: LoopbackListener
    do throws(SystemError) { listener = try LoopbackListener() } catch {
      throw SyncError(.failure, "could not wait for the browser's answer: \(error)")
    }
    let redirect = "http://127.0.0.1:\(listener.port)/strava"
    say(account.access.authorizationPage(redirect: redirect, state: state), context)
    let target: String?
    do throws(SystemError) {
      target = try listener.request(to: "/strava", within: patience)
    } catch {
      throw SyncError(.failure, "could not receive the browser's answer: \(error)")
    }
    guard let target else {
      throw SyncError(
        .stravaDenied, "the browser did not answer within \(wait)",
        hint: "start again, or use --manual if the browser is on another machine")
    }
    return try StravaAccess.code(in: target, state: state)
  }

  /// The code in an address, or a code alone.
  private func code(in answer: String, state: String?) throws -> (code: String, scope: String?) {
    let isCode =
      !answer.isEmpty && answer.utf8.allSatisfy { 0x21...0x7E ~= $0 }
      && !answer.contains("=") && !answer.contains("/")
    return isCode ? (answer, nil) : try StravaAccess.code(in: answer, state: state)
  }

  /// The address must appear even with --quiet.
  private func say(_ page: String, _ context: CommandContext) {
    context.terminal.error.write("Open this page and agree:\n\n  \(page)\n\n")
  }
}

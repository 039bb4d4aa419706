import SegmentFormat
import SyncKit
import SyncKitText
import Synchronization

/// Speaks to a service that keeps files and that others have made, such as a WebDAV server or a bucket: tries again
/// where that helps, and says in words what has gone wrong.
///
/// - No redirect is followed.
/// - An answer is kept up to a bound that the request names.
package final class FileServiceConnection: Sendable {
  /// How the service is reached.
  package let access: ServerAccess
  /// What to check when the user or the key is refused, as a sentence.
  private let whenRefused: String
  private let carrier: any RequestCarrier
  private let heard = Mutex<RemoteClock?>(nil)
  private let hasAnswered = Mutex(false)

  /// The clock of the service, by its last answer that said a time; nil when none did.
  package var clock: RemoteClock? { heard.withLock { $0 } }

  /// Prepares; nothing is sent.
  ///
  /// - Throws: ``SyncError`` `config.invalid` for an address in the clear that is not this machine, and
  ///   what the carrier throws, as for a file of certificates that cannot be read.
  package init(_ access: ServerAccess, whenRefused: String) throws {
    try access.check()
    self.access = access
    self.whenRefused = whenRefused
    carrier = try access.carrier(access)
  }

  /// An answer, all of it.
  package struct Answer: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// How often the request was sent; from the second time on an earlier one may have had its effect.
    package var tries: Int

    /// The value of the first field of a name, which is compared without regard to case; nil for none.
    package func first(_ name: String) -> String? {
      let name = name.lowercased()
      return headers.first { $0.name.lowercased() == name }?.value
    }

    /// The time at which the service made it, in milliseconds since 1970; nil when it does not say.
    package var time: Int64? {
      // What a cache has kept is of another time.
      first("Age") == nil ? first("Date").flatMap { HTTPDate.milliseconds($0) } : nil
    }

    /// Whether the service has done what it was asked to do.
    package var isGood: Bool { 200..<300 ~= status }
  }

  /// Sends a request until there is an answer that another try would not change.
  ///
  /// A busy service (423, 429, 503), a broken one (500, 502, 504) and a broken connection are tried again as
  /// ``ServerAccess/retry`` says; the last answer is returned, whatever its status.
  ///
  /// - Parameters:
  ///   - limit: The longest body that is taken in, in bytes.
  ///   - isCut: Whether only that much of a longer one is taken in; else it is an error.
  ///   - isFinal: Whether an answer with that status is the caller's, and no reason to try again.
  ///   - request: Makes the request, anew for each try, since a signature is for one time.
  /// - Returns: The last answer.
  /// - Throws: ``SyncError`` when there is no answer; `CancellationError`.
  package func answer(
    upTo limit: Int, isCut: Bool = false, isFinal: (_ status: Int) -> Bool = { _ in false },
    _ request: () throws -> CarriedRequest
  ) async throws -> Answer {
    var tries = 0
    while true {
      tries += 1
      let failure: ServerFailure
      var last: Answer?
      do {
        var answer = try await once(request(), upTo: limit, isCut)
        answer.tries = tries
        guard !isFinal(answer.status), let remedy = remedy(answer) else { return answer }
        last = answer
        failure = ServerFailure(self.failure(answer, "do this"), remedy)
      } catch let thrown as ServerFailure {
        failure = thrown
      }
      try Task.checkCancellation()
      var asked: Duration?
      if case .later(let pause) = failure.remedy { asked = pause }
      guard failure.remedy != .none,
        let pause = access.retry.pause(
          afterTry: tries, asked: asked, random: access.environment.random())
      else {
        if let last { return last }
        throw failure.error
      }
      try await access.wait(pause)
    }
  }

  /// The error that an answer is, for a caller that cannot go on with it.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - what: What was to be done, such as `store 'a'`.
  ///   - said: What the service says besides the status.
  /// - Returns: The error.
  package func failure(_ answer: Answer, _ what: String, said: String? = nil) -> SyncError {
    let server = access.address
    let cause =
      "it answers \(answer.status)" + (said.map { ": \(ServerFailure.sentence($0))" } ?? "")
    switch answer.status {
    case 300..<400:
      return SyncError(
        .remoteForeign, "\(server) redirects elsewhere, and cloudsync does not follow.",
        hint: "Check the address, and whether the network requires a sign-in in a browser first.",
        cause: answer.first("Location").map { ServerFailure.sentence($0) })
    case 401, 403:
      return SyncError(
        .remoteDenied, "The server at \(server) does not let this device \(what).",
        hint: whenRefused, cause: cause)
    case 404, 409, 410:
      return SyncError(
        .remoteUnavailable, "The server at \(server) could not \(what).",
        hint: "Check the address and that the folder still exists.", cause: cause)
    case 413:
      return SyncError(
        .remoteTooLarge, "Something is larger than the server at \(server) accepts.",
        hint: "Ask its operator for a higher limit of uploads.", cause: cause)
    case 423:
      return SyncError(
        .remoteBusy, "Another program has locked a file at \(server).",
        hint: "The next sync tries again.", cause: cause)
    case 429:
      return SyncError(
        .remoteRateLimited, "The server at \(server) asks this device to wait.",
        hint: "The next sync goes on where this one stopped.", cause: cause)
    case 507:
      return SyncError(
        .remoteQuota, "There is no room left at \(server).",
        hint: "Your data stay here. Make room there, or ask for more.", cause: cause)
    case 500...:
      return SyncError(
        .remoteUnavailable, "The server at \(server) does not work (\(answer.status)).",
        hint: "Local work goes on; the next sync sends it.",
        cause: said.map { ServerFailure.sentence($0) })
    default:
      return SyncError(
        .remoteProtocol, "The server at \(server) could not \(what).",
        hint: "Check the address; it must lead to the service that the remote's kind names.",
        cause: cause)
    }
  }

  /// Why another try may have another outcome; nil for an answer that stays as it is.
  private func remedy(_ answer: Answer) -> ServerFailure.Remedy? {
    switch answer.status {
    case 429, 503: .later(answer.first("Retry-After").flatMap(pause))
    // Some lock a folder while another device writes in it.
    case 423: .later(nil)
    case 408, 500, 502, 504: .repeating
    default: nil
    }
  }

  /// How long a service asks to wait: seconds, or a time.
  private func pause(_ text: String) -> Duration? {
    if let seconds = Int(text) { return .seconds(max(0, min(seconds, 86_400))) }
    guard let time = HTTPDate.milliseconds(text) else { return nil }
    return .milliseconds(max(0, min(time - access.environment.now(), 86_400_000)))
  }

  private func once(
    _ request: CarriedRequest, upTo limit: Int, _ isCut: Bool
  ) async throws -> Answer {
    var hasAnswer = false
    let start = access.environment.now()
    do {
      let carried = try await carrier.carry(request)
      let end = access.environment.now()
      hasAnswer = true
      hasAnswered.withLock { $0 = true }
      let answer = Answer(
        status: carried.status, headers: carried.headers,
        body: try await isCut ? carried.first(limit) : carried.bytes(upTo: limit),
        tries: 1)
      if let time = answer.time {
        heard.withLock { $0 = RemoteClock(time, between: start, and: end) }
      }
      return answer
    } catch CarrierFailure.notHTTP {
      throw ServerFailure(
        SyncError(
          .remoteForeign, "What answers at \(access.address) does not speak HTTP.",
          hint: "Check the address and the port."),
        // One that has spoken it before lost its place in a connection, as some do when many ask at once.
        hasAnswered.withLock { $0 } ? .repeating : .none)
    } catch {
      try Task.checkCancellation()
      throw ServerFailure(error, from: access.address, hasAnswer: hasAnswer)
    }
  }
}

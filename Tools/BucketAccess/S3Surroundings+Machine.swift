import CommandFoundation
import LocalMachine
package import S3Transport
internal import SyncKit
package import SyncKitHTTP

extension S3Surroundings {
  /// This machine: its variables, the person's files, the programs that print keys, the services that hand them out.
  ///
  /// - Parameters:
  ///   - variables: All variables of the environment.
  ///   - access: How an address is reached.
  package init(
    variables: [String: String], access: @escaping @Sendable (ServerAddress) -> ServerAccess
  ) {
    self.init(
      variables: variables, home: variables["HOME"], read: Self.read, run: Self.run,
      ask: { question in try await Self.ask(question, access) })
  }

  /// Reads a file of the AWS tools; nil when there is none.
  @Sendable private static func read(_ path: String) throws -> [UInt8]? {
    do throws(SystemError) {
      return try LocalFile.read(path, limit: 1 << 20)
    } catch {
      guard !error.isMissing else { return nil }
      throw SyncError(
        .configInvalid, "Could not read '\(Sanitized.line(path))': \(error.reason).",
        hint: "It is a file of the AWS tools; make it readable for you.")
    }
  }

  /// Runs the program of a profile that prints keys.
  @Sendable private static func run(_ command: [String]) async throws -> [UInt8] {
    let name = Sanitized.line(command.first ?? "")
    let result: (status: Int32, output: [UInt8])
    do throws(SystemError) {
      result = try ChildProcess.run(command, seconds: 60)
    } catch {
      throw SyncError(
        .configInvalid, "Could not run '\(name)': \(error.reason).",
        hint: "It is the credential_process of the profile; correct it in ~/.aws/config.")
    }
    guard result.status == 0 else {
      throw SyncError(
        .remoteDenied, "'\(name)' gives no keys; it ends with \(result.status).",
        hint: "Run it by hand; it is the credential_process of the profile in ~/.aws/config.")
    }
    return result.output
  }

  /// Asks the service of a container or a machine; on any other machine nothing answers.
  private static func ask(
    _ question: Question, _ access: @Sendable (ServerAddress) -> ServerAccess
  ) async throws -> [UInt8]? {
    let address = question.url.prefix { $0 != "?" }
    guard let server = ServerAddress(address), let mark = question.url.firstRange(of: "://") else {
      return nil
    }
    let path = question.url[mark.upperBound...].drop { $0 != "/" }
    var access = access(server)
    (access.proxy, access.allowsCleartext) = (.direct, true)
    access.connectTimeout = .seconds(1)
    let request = CarriedRequest(
      method: question.method, path: String(path),
      headers: question.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
      timeout: .seconds(2))
    do {
      let answer = try await access.carrier(access).carry(request)
      guard answer.status == 200 else { return nil }
      return try await answer.bytes(upTo: 64 << 10)
    } catch is CarrierFailure {
      try Task.checkCancellation()
      return nil
    }
  }
}

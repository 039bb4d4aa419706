import SyncKit

extension ServerFailure {
  /// What broke on the way; `hasAnswer` says whether the head of an answer had come.
  init(_ error: any Error, from server: ServerAddress, hasAnswer: Bool) {
    switch error {
    case let failure as ServerFailure: self = failure
    case let error as SyncError: self.init(error)
    case let failure as CarrierFailure: self.init(failure, from: server, hasAnswer: hasAnswer)
    default: self = .unreachable(server, "the connection was lost", wasSent: true)
    }
  }

  private init(_ failure: CarrierFailure, from server: ServerAddress, hasAnswer: Bool) {
    switch failure {
    case .unreachable(let cause, let wasSent):
      self = .unreachable(server, cause, wasSent: wasSent || hasAnswer)
    case .untrusted(let fault):
      self.init(
        SyncError(
          .remoteTLS, fault.sentence(of: "\(server)", host: server.host), hint: fault.hint))
    case .notHTTP: self = .foreign(server, "it does not speak HTTP")
    case .notUnpackable:
      self = .broken(server, "an answer cannot be unpacked, or unpacks to far too much")
    case .unsupported(let what):
      self.init(
        SyncError(
          .remoteUnsupported, "\(server) wants \(what), which this program cannot do.",
          hint: "Use another way to sign in there, or the carrier of CurlNetwork."))
    case .tooLong: self = .broken(server, "an answer is too long")
    case .proxyDenied:
      self.init(
        SyncError(
          .remoteDenied, "The proxy for \(server) requires a user and a password.",
          hint: "Write them into the proxy's address."))
    }
  }
}

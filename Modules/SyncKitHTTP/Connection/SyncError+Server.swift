public import SyncKit

extension SyncError.Code {
  /// The server's certificate is not to be trusted, or the encryption fails.
  public static let remoteTLS = Self("remote.tls", exit: 76)
  /// Something other than a cloudsync server answers, such as a captive portal.
  public static let remoteForeign = Self("remote.foreign", exit: 76)
  /// The server asks to be asked less often.
  public static let remoteRateLimited = Self("remote.rate-limited", exit: 75, retryable: true)
  /// Something is larger than the server takes.
  public static let remoteTooLarge = Self("remote.too-large", exit: 73)
  /// A pairing code or an invitation is wrong, used or over.
  public static let codeSpent = Self("remote.code-spent", exit: 77)
  /// A share has as many participants as it may have.
  public static let shareFull = Self("share.full", exit: 73)
}

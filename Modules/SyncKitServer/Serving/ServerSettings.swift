/// All that decides how a server runs, as a value.
public struct ServerSettings: Sendable {
  /// Where it listens.
  public var listen: ServerAddress
  /// The absolute path of its data folder; see ``DataFolder``.
  public var data: String
  /// The database that it keeps everything in, beside other servers; nil for its data folder.
  public var database: PostgreSQLAddress?
  /// Where it keeps large bodies; nil for where it keeps everything else.
  public var blobs: ServerBlobs?
  /// Certificate and key; nil for plain HTTP.
  public var tls: CertificateFiles?
  /// Whether a proxy stands before it, which encrypts and passes on the caller's address.
  public var proxy = TrustedProxy.none
  /// How callers authenticate.
  public var authentication = Authentication.token
  /// Where people reach it, such as `https://sync.example.org`; nil when only their requests say.
  public var url: String?
  /// What the link of an invitation adds behind its code, so that a certificate that is not vouched for is trusted.
  public var linkMark: @Sendable () -> String = { "" }
  /// Where the numbers for Prometheus are; nil for nowhere.
  public var metrics: ServerAddress?
  /// How often a token or an address may ask.
  public var rates = RequestRates()
  /// What it bears.
  public var limits = ConnectionLimits()

  /// Settings that listen at an address and keep data in a folder; all else as it is by default.
  public init(listen: ServerAddress, data: String) {
    self.listen = listen
    self.data = data
  }

  /// How callers authenticate at a server.
  public enum Authentication: String, Sendable, CaseIterable {
    /// By a token of an account.
    case token
    /// Not at all: every caller is the one account there is.
    case none
  }

  /// A certificate with its chain, and its key, as files of PEM.
  public struct CertificateFiles: Sendable, Equatable {
    /// The certificate, and behind it those that it rests on.
    public var certificate: String
    /// The private key.
    public var key: String

    /// Names both files.
    public init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// Whose word a server takes for the address of a client.
  public enum TrustedProxy: Sendable, Equatable {
    /// No one's.
    case none
    /// Every caller's: only the proxy reaches it.
    case everybody
    /// That of these addresses.
    case addresses([String])
  }
}

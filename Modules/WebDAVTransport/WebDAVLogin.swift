/// What opens a WebDAV server.
public enum WebDAVLogin: Hashable, Sendable {
  /// Nothing: anyone may read and write.
  case none
  /// A user and a password, as the server wants them: Basic or Digest.
  case password(user: String, password: String)
  /// A token.
  case bearer(String)
}

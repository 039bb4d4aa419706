import CommandFoundation
import SyncKitHTTP

extension ServerAddress {
  /// The server of a whole URL of http or https: its scheme, host and port, whatever comes after them.
  ///
  /// Two URLs belong to the same server when these are the same. Nil for any other text, and for a URL with a user or a password in it.
  init?(originOf url: String) {
    guard let mark = url.firstRange(of: "://") else { return nil }
    let end = url[mark.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    self.init(url[..<end])
  }
}

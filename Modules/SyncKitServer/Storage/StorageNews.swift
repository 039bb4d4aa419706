/// What a commit has changed that a part outside the storage waits for.
public struct StorageNews: Sendable, Equatable {
  /// A domain of an account in which something has come.
  public struct Place: Hashable, Sendable {
    /// The account's id.
    public var account: String
    /// The domain.
    public var domain: String

    /// Names a domain of an account.
    public init(account: String, domain: String) {
      self.account = account
      self.domain = domain
    }
  }

  /// Where something has come.
  public var places: Set<Place> = []
  /// The tokens that have ended, by the part that names them.
  public var endedTokens: Set<String> = []
  /// Whether anything may have changed: news of others were missed.
  public var isEverything = false

  /// That anything may have changed.
  static let everything: StorageNews = {
    var news = StorageNews()
    news.isEverything = true
    return news
  }()

  /// Whether there is nothing to tell.
  public var isEmpty: Bool { places.isEmpty && endedTokens.isEmpty && !isEverything }

  mutating func formUnion(_ other: StorageNews) {
    places.formUnion(other.places)
    endedTokens.formUnion(other.endedTokens)
    isEverything = isEverything || other.isEverything
  }
}

/// A listing of a remote's top that several domains take, one after the other.
///
/// Each domain takes it once and only while it is fresh, so that a later run sees what has changed since.
struct SharedListing {
  /// How long a listing is fresh, in milliseconds.
  private static let freshness: Range<Int64> = 0..<10_000

  private var listing: BlobListing?
  private var listed: Int64 = 0
  private var takers: Set<String> = []

  /// The listing for a domain; nil when it has to list the top itself, after which it calls
  /// ``keep(_:of:now:)``.
  mutating func take(for domain: String, now: Int64) -> BlobListing? {
    guard let listing, Self.freshness.contains(now &- listed), takers.insert(domain).inserted else {
      forget()
      return nil
    }
    return listing
  }

  /// Keeps what a domain has listed, or goes on with what it has taken.
  mutating func keep(_ listing: BlobListing, of domain: String, now: Int64) {
    guard self.listing == nil else { return }
    (self.listing, listed, takers) = (listing, now, [domain])
  }

  /// Forgets it, since something of it has changed.
  mutating func forget() { (listing, takers) = (nil, []) }
}

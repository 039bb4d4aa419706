public import SegmentFormat
import SyncKit
import SyncKitHTTP
import Synchronization

extension S3BlobStore {
  /// The most names of a listing.
  static let maximumNames = 1_000_000
  /// The most pages of a listing; a service may put fewer names on a page than it is asked for.
  private static let maximumPages = 10_000
  /// The longest page in bytes: a thousand names, each byte of them escaped.
  private static let pageLimit = 8 << 20

  public func list(_ folder: String, _ reach: BlobReach) async throws -> BlobListing {
    guard folder.isEmpty || BlobKey.isProper(folder) else { return BlobListing() }
    let start = folder.isEmpty ? bucket.key("") : bucket.key(folder) + "/"
    var names = ListedNames(below: start, prefix: bucket.prefix, reach)
    var next: ListPage.Following?
    for _ in 0..<Self.maximumPages {
      let page = try await page(start, reach, from: next)
      names.take(page)
      guard page.isCut, !names.isFull else {
        next = nil
        break
      }
      guard let following = page.following, following != next else {
        throw connection.nonsense("a listing has no end")
      }
      next = following
    }
    guard next == nil else { throw connection.nonsense("a listing has no end") }
    state.withLock { state in
      for object in names.seen { state.memory.see(object.name, size: object.size, tag: object.tag) }
      if reach == .tree {
        names.listing.notes += state.notes
        state.notes = []
      }
    }
    var listing = names.listing
    listing.notes += names.notes
    return listing
  }

  /// Asks for one page.
  private func page(
    _ start: String, _ reach: BlobReach, from next: ListPage.Following?
  ) async throws -> ListPage {
    var query = [(name: "list-type", value: "2"), ("encoding-type", "url"), ("prefix", start)]
    if reach == .folder { query.append(("delimiter", "/")) }
    switch next {
    case .token(let token): query.append(("continuation-token", token))
    case .name(let key): query.append(("start-after", key))
    case nil: break
    }
    let answer = try await connection.send(
      S3Request(method: "GET", query: query, limit: Self.pageLimit))
    guard answer.isGood else { throw connection.failure(answer, "list its objects") }
    guard let page = ListPage(answer.body, below: start) else {
      throw connection.nonsense("its answer is no listing")
    }
    return page
  }
}

/// The names of a listing, which come from outside: those that are none are passed over and counted.
struct ListedNames {
  /// An object with what says whether its content is known.
  typealias Seen = (name: String, size: Int?, tag: String?)

  /// What was found.
  var listing = BlobListing()
  /// The objects, to be compared with what is known.
  private(set) var seen: [Seen] = []
  /// Whether no more names are taken.
  private(set) var isFull = false
  /// What all keys have to begin with.
  private let start: String
  /// What is no part of a blob's name.
  private let prefix: String
  private let reach: BlobReach
  private var odd: (first: String, count: Int)?
  private var known: Set<String> = []

  /// Prepares for the first page.
  init(below start: String, prefix: String, _ reach: BlobReach) {
    (self.start, self.prefix, self.reach) = (start, prefix, reach)
  }

  /// Takes the names of a page.
  mutating func take(_ page: ListPage) {
    for object in page.objects { take(object) }
    for prefix in page.prefixes { takeFolder(prefix) }
  }

  private mutating func take(_ object: ListPage.Object) {
    // Consoles make empty objects that stand for folders.
    if object.key == start || object.key.hasSuffix("/") && object.size == 0 { return }
    guard let name = name(object.key), known.insert(name).inserted else { return }
    guard reach == .tree || !below(name).contains("/") else { return note(object.key) }
    guard !full() else { return }
    listing.blobs.append(BlobEntry(name: name, size: object.size))
    if let size = object.size, size <= BlobMemory.maximumSize {
      seen.append((name, size, object.tag))
    }
  }

  private mutating func takeFolder(_ text: String) {
    guard reach == .folder else { return }
    // A service above folders may leave out the slash.
    let key = text.hasSuffix("/") ? String(text.dropLast()) : text
    guard let name = name(key), known.insert(name + "/").inserted else { return }
    guard !below(name).contains("/") else { return note(text) }
    if !full() { listing.folders.append(name) }
  }

  /// The blob's name for a key; nil for a key that cannot be that of a blob.
  private mutating func name(_ key: String) -> String? {
    guard key.utf8.starts(with: start.utf8), BlobKey.isProper(key) else {
      note(key)
      return nil
    }
    let name = prefix.isEmpty ? key : String(key.dropFirst(prefix.count + 1))
    guard BlobKey.isProper(name) else {
      note(key)
      return nil
    }
    return name
  }

  /// What of a blob's name lies below the folder that is listed.
  private func below(_ name: String) -> Substring {
    let folder = start.utf8.count - (prefix.isEmpty ? 0 : prefix.utf8.count + 1)
    return Substring(name.utf8.dropFirst(folder))
  }

  private mutating func full() -> Bool {
    if listing.blobs.count + listing.folders.count >= S3BlobStore.maximumNames { isFull = true }
    return isFull
  }

  private mutating func note(_ key: String) {
    odd = (odd?.first ?? key, (odd?.count ?? 0) + 1)
  }

  /// What was passed over, a sentence a kind.
  var notes: [String] {
    var notes: [String] = []
    if let (first, count) = odd {
      let more = count == 1 ? "" : " (and \(count - 1) more)"
      notes.append("The service names '\(Self.shown(first))'\(more), which cannot be there.")
    }
    if isFull { notes.append("The bucket has too many objects; the rest are ignored.") }
    return notes
  }

  /// A name from outside as a few harmless characters.
  private static func shown(_ key: String) -> String {
    String(
      String.UnicodeScalarView(
        key.unicodeScalars.prefix(80).filter { $0.isASCII && $0.value >= 0x20 && $0.value != 0x7F })
    )
  }
}

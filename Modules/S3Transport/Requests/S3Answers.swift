import SyncKitFormats
import SyncKitText

/// The fields of an answer in XML that lie right below its root, and what its root is called.
struct AnswerFields: Sendable {
  /// The name of the root; empty for a text that is no XML.
  private(set) var root = ""
  /// The first text of each element right below the root.
  private var fields: [String: String] = [:]

  /// Reads an answer; what is no XML has no fields.
  init(_ body: [UInt8]) {
    guard body.count <= 1 << 20 else { return }
    let tree = TwoLevels()
    guard (try? tree.read(body)) != nil else { return }
    root = tree.root
    fields = tree.fields
  }

  /// The text of an element; nil when there is none.
  subscript(name: String) -> String? { fields[name] }

  /// Gathers the two upper levels of an answer.
  private final class TwoLevels {
    private(set) var root = ""
    private(set) var fields: [String: String] = [:]
    private var path: [String] = []

    func read(_ body: [UInt8]) throws {
      var options = XMLEventReader.Options()
      options.depth = 16
      options.textLength = 1 << 16
      let reader = try XMLEventReader(options: options) { event in
        switch event {
        case .start(let name, _):
          if self.path.isEmpty { self.root = name }
          self.path.append(name)
        case .text(let text):
          if self.path.count == 2, self.fields[self.path[1]] == nil {
            self.fields[self.path[1]] = text
          }
        case .end: self.path.removeLast()
        }
      }
      try reader.feed(body)
      try reader.finish()
    }
  }
}

/// One page of a listing (ListObjectsV2).
struct ListPage: Sendable {
  /// One object.
  struct Object: Sendable {
    /// The whole key, as the service says it.
    var key = ""
    /// The size in bytes; nil when the service does not say.
    var size: Int?
    /// What changes with the content, without quotes; nil when the service does not say.
    var tag: String?
  }

  /// The objects.
  private(set) var objects: [Object] = []
  /// The beginnings of keys that stand for folders.
  private(set) var prefixes: [String] = []
  /// Whether there are more pages.
  private(set) var isCut = false
  /// What asks for the next page; nil when the service does not say.
  private(set) var next: String?

  /// How the next page is asked for.
  enum Following: Hashable, Sendable {
    /// By what the service says.
    case token(String)
    /// By the last name of the page before.
    case name(String)
  }

  /// How the next page is asked for; nil when that cannot be told.
  var following: Following? {
    if let next, !next.isEmpty { return .token(next) }
    // Names come in the order of their bytes.
    let names = objects.map(\.key) + prefixes
    return names.max { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { .name($0) }
  }

  /// Reads a page; nil for what is none.
  ///
  /// - Parameters:
  ///   - body: The answer to a request for escaped keys.
  ///   - start: What all keys were asked to begin with.
  init?(_ body: [UInt8], below start: String) {
    let builder = Builder()
    guard (try? builder.read(body)) != nil, builder.isListing else { return nil }
    self = builder.page
    guard builder.isEscaped || showsEscapes(below: start) else { return }
    objects = objects.map {
      Object(key: Self.unescaped($0.key), size: $0.size, tag: $0.tag)
    }
    prefixes = prefixes.map(Self.unescaped)
  }

  private init() {}

  /// Whether a page that does not say so escapes its keys, as Ceph's did.
  ///
  /// All keys begin with what was asked for: if they do so only once they are read as escaped, they are. A key that does
  /// so as it stands shows that they are not. At the top of a bucket the slashes of folders tell.
  private func showsEscapes(below start: String) -> Bool {
    guard start.isEmpty else {
      let texts = objects.map(\.key) + prefixes
      return !texts.contains { $0.utf8.starts(with: start.utf8) }
        && texts.contains { Self.unescaped($0).utf8.starts(with: start.utf8) }
    }
    return !prefixes.isEmpty
      && prefixes.allSatisfy { !$0.hasSuffix("/") && Self.unescaped($0).hasSuffix("/") }
  }

  /// A key that the service has escaped as a form does.
  private static func unescaped(_ text: String) -> String {
    PercentEncoding.decode(String(text.map { $0 == "+" ? " " : $0 }))
  }

  /// Gathers a page.
  private final class Builder {
    var page = ListPage()
    private(set) var isListing = false
    private(set) var isEscaped = false
    private var path: [String] = []
    private var object = Object()

    func read(_ body: [UInt8]) throws {
      var options = XMLEventReader.Options()
      options.depth = 16
      options.textLength = 1 << 16
      let reader = try XMLEventReader(options: options) { self.take($0) }
      try reader.feed(body)
      try reader.finish()
    }

    private func take(_ event: XMLEvent) {
      switch event {
      case .start(let name, _):
        if path.isEmpty { isListing = name == "ListBucketResult" }
        path.append(name)
        if path.count == 2, name == "Contents" { object = Object() }
      case .text(let text): take(text)
      case .end(let name):
        if path.count == 2, name == "Contents" { page.objects.append(object) }
        path.removeLast()
      }
    }

    private func take(_ text: String) {
      switch path.dropFirst().joined(separator: "/") {
      case "Contents/Key": object.key = text
      case "Contents/Size": object.size = Int(text).flatMap { $0 >= 0 ? $0 : nil }
      case "Contents/ETag": object.tag = text.filter { $0 != "\"" }
      case "CommonPrefixes/Prefix": page.prefixes.append(text)
      case "IsTruncated": page.isCut = text == "true"
      case "NextContinuationToken": page.next = text
      case "EncodingType": isEscaped = text == "url"
      default: break
      }
    }
  }
}

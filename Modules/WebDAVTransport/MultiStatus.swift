import SyncKitFormats
import SyncKitText

/// What a WebDAV server says about a collection and what is in it (RFC 4918, section 13).
struct MultiStatus {
  /// A file or a collection.
  struct Resource: Equatable {
    /// The parts of its path, decoded.
    var path: [String]
    /// The parts of its path as they stand, for a server that does not escape them.
    var plainPath: [String] = []
    var isCollection = false
    /// In bytes; nil when the server does not say.
    var size: Int?
    /// When it was changed, in milliseconds since 1970; nil when the server does not say.
    var modified: Int64?
    /// How many bytes more fit in it (RFC 4331); nil when the server does not say, or sets no limit.
    var room: Int64?
  }

  /// What the answer names, as a server means it that escapes paths.
  private(set) var resources: [Resource] = []

  /// Reads the answer to a PROPFIND.
  ///
  /// - Throws: ``SyncKitFormats/XMLError`` when it is no XML, or too deep.
  init(_ bytes: [UInt8]) throws {
    let reading = Reading()
    var options = XMLEventReader.Options()
    options.depth = 64
    let reader = try XMLEventReader(options: options) { reading.take($0) }
    try reader.feed(bytes)
    try reader.finish()
    resources = reading.resources
  }

  /// What is directly in a collection, by its name there; the collection itself is left out.
  ///
  /// A proxy may have another path in front than the one that was asked for, so the paths of an answer are only
  /// compared with each other.
  func children(of path: [String]) -> [(name: String, resource: Resource)] {
    let resources = isEscaped(path) ? resources : resources.map(\.unescaped)
    func depth(_ index: Int) -> Int { resources[index].path.count }
    var own = resources.firstIndex { $0.path == path }
    if own == nil, let shortest = resources.indices.min(by: { depth($0) < depth($1) }) {
      let start = resources[shortest].path
      let isAbove = resources.indices.allSatisfy {
        $0 == shortest
          || resources[$0].path.count > start.count && resources[$0].path.starts(with: start)
      }
      // One that is alone is the collection itself, which has nothing in it.
      if isAbove, resources[shortest].isCollection { own = shortest }
    }
    let parent = own.map { resources[$0].path }
    return resources.indices.compactMap { index in
      let resource = resources[index]
      guard index != own, let name = resource.path.last, Self.isSafe(name) else { return nil }
      if let parent {
        guard resource.path.count == parent.count + 1, resource.path.starts(with: parent) else {
          return nil
        }
      }
      return (name, resource)
    }
  }

  /// Whether paths are escaped, as the collection that was asked for shows: they are not where it is found by its path as
  /// it stands, behind whatever a proxy has in front, and not by the decoded one.
  private func isEscaped(_ path: [String]) -> Bool {
    // For one that looks the same in both forms, nothing is to be told.
    let isPlain = Self.parts(ofAddress: "/" + path.joined(separator: "/")) == path
    return isPlain || resources.contains { $0.path == path }
      || !resources.contains { $0.plainPath.suffix(path.count) == path[...] }
  }

  /// Whether a name is one, and no way to somewhere else.
  private static func isSafe(_ name: String) -> Bool {
    name != "." && name != ".." && !name.contains("/") && !name.utf8.contains(0)
  }

  /// The parts of a path or of a whole address, decoded.
  static func parts(ofAddress text: String) -> [String] {
    let path = path(ofAddress: text).prefix { $0 != "?" && $0 != "#" }
    return path.split(separator: "/").map { PercentEncoding.decode($0) }
  }

  /// What follows the host of a whole address; a path as it is.
  private static func path(ofAddress text: String) -> Substring {
    // A name further behind may have the same signs.
    guard !text.hasPrefix("/"), let mark = text.firstRange(of: "://") else {
      return Substring(text)
    }
    return text[mark.upperBound...].drop { $0 != "/" }
  }
}

extension MultiStatus.Resource {
  /// The same, as a server means it that does not escape paths.
  fileprivate var unescaped: Self {
    var resource = self
    resource.path = plainPath
    return resource
  }
}

extension MultiStatus {
  /// Follows the elements of an answer.
  private final class Reading {
    var resources: [Resource] = []
    private var current: Resource?
    /// What the properties that are being read say; they count when their status is good.
    private var properties = Resource(path: [])
    private var isGood = true
    private var text = ""

    func take(_ event: XMLEvent) {
      switch event {
      case .start(let name, _):
        text = ""
        switch Self.local(name) {
        case "response": current = Resource(path: [])
        case "propstat": (properties, isGood) = (Resource(path: []), true)
        case "collection": properties.isCollection = true
        default: break
        }
      case .text(let part): text += part
      case .end(let name): end(Self.local(name))
      }
    }

    /// A text without the white space of a listing that is set out for people.
    private static func trimmed(_ text: String) -> String {
      let line = text.filter { !$0.isNewline }
      let start = line.drop(while: \.isWhitespace)
      guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
      return String(start[...last])
    }

    private func end(_ name: Substring) {
      let text = Self.trimmed(text)
      switch name {
      case "href":
        if current?.plainPath.isEmpty == true {
          current?.path = MultiStatus.parts(ofAddress: text)
          current?.plainPath = MultiStatus.path(ofAddress: text).split(separator: "/").map(
            String.init)
        }
      case "getcontentlength": properties.size = Int(text).flatMap { $0 >= 0 ? $0 : nil }
      case "getlastmodified": properties.modified = HTTPDate.milliseconds(text)
      case "quota-available-bytes":
        // Some say with a number below zero that they do not know.
        properties.room = Int64(text).flatMap { $0 >= 0 ? $0 : nil }
      case "status": isGood = text.split(separator: " ").dropFirst().first?.first == "2"
      case "propstat" where isGood:
        // A server may give each property a status of its own.
        if properties.isCollection { current?.isCollection = true }
        if let size = properties.size { current?.size = size }
        if let modified = properties.modified { current?.modified = modified }
        if let room = properties.room { current?.room = room }
      case "response":
        if let current { resources.append(current) }
        current = nil
      default: break
      }
      self.text = ""
    }

    /// A name without its prefix: servers choose those as they like.
    private static func local(_ name: String) -> Substring {
      name.lastIndex(of: ":").map { name[name.index(after: $0)...] } ?? Substring(name)
    }
  }
}

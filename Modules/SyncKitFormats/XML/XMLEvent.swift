/// What an ``XMLEventReader`` comes across.
public enum XMLEvent: Equatable, Sendable {
  /// An element begins; the name is as written, with its prefix.
  case start(name: String, attributes: XMLAttributes)
  /// The whole text between two tags, references resolved and lines ended by LF.
  case text(String)
  /// An element ends, also one without content.
  case end(name: String)
}

/// The attributes of an element in the order in which they are written.
public struct XMLAttributes: Equatable, Sendable, RandomAccessCollection {
  /// One attribute.
  public struct Attribute: Equatable, Sendable {
    /// The name as written, with its prefix.
    public let name: String
    /// The value, references resolved.
    public let value: String

    /// Makes an attribute.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  private let attributes: [Attribute]

  /// Makes attributes; no name may come twice.
  public init(_ attributes: [Attribute] = []) { self.attributes = attributes }

  public var startIndex: Int { attributes.startIndex }
  public var endIndex: Int { attributes.endIndex }
  public subscript(position: Int) -> Attribute { attributes[position] }

  /// The value of a name, nil when there is no such attribute.
  public subscript(name: String) -> String? {
    attributes.first { $0.name == name }?.value
  }
}

extension XMLAttributes: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { Attribute(name: $0.0, value: $0.1) })
  }
}

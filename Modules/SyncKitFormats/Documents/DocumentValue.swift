/// A value of a document, of whatever format, with nothing lost of it.
public indirect enum DocumentValue: Sendable {
  /// A truth value.
  case bool(Bool)
  /// A number.
  case number(NumberText)
  /// A number that its format keeps as a double, and in every format an infinity or not a number.
  case double(Double)
  /// A text.
  case string(String)
  /// Milliseconds since 1970.
  case date(milliseconds: Int64)
  /// Bytes.
  case data([UInt8])
  /// A word without quotes that readers of YAML take for different values, or a date or time of TOML
  /// without an offset, as it was written.
  case plain(String)
  /// Something that is not a value here, with the reason as a clause.
  case other(String)
  /// Values in their order.
  case list([DocumentValue])
  /// Values by key.
  case map([Member])

  /// A key of a map and its value.
  public struct Member: Sendable {
    /// The key.
    public var key: String
    /// What belongs to it.
    public var value: DocumentValue

    /// Makes a member.
    public init(_ key: String, _ value: DocumentValue) {
      self.key = key
      self.value = value
    }
  }
}

extension DocumentValue {
  /// What stands for no value; another may take its place.
  public static let null = DocumentValue.other("it is null")
}

extension DocumentValue: Equatable {
  /// Texts are compared by their bytes, numbers by what they stand for, maps in any order.
  public static func == (left: DocumentValue, right: DocumentValue) -> Bool {
    switch (left, right) {
    case (.bool(let left), .bool(let right)): return left == right
    case (.number(let left), .number(let right)): return left == right
    case (.double(let left), .double(let right)):
      return left.bitPattern == right.bitPattern || left.isNaN && right.isNaN
    case (.string(let left), .string(let right)), (.plain(let left), .plain(let right)),
      (.other(let left), .other(let right)):
      return ExactText(left) == ExactText(right)
    case (.date(let left), .date(let right)): return left == right
    case (.data(let left), .data(let right)): return left == right
    case (.list(let left), .list(let right)): return left == right
    case (.map(let left), .map(let right)):
      guard left.count == right.count else { return false }
      let known = Dictionary(
        left.map { (ExactText($0.key), $0.value) }, uniquingKeysWith: { $1 })
      return right.allSatisfy { known[ExactText($0.key)] == $0.value }
    default: return false
    }
  }
}

import SyncKitFormats

extension SettingValue {
  /// The value that a person types; nil when it has another kind.
  ///
  /// Without a kind the text decides: `true`, `1`, `1.0`, `[1, 2]` and `{"a": 1}` are what they look
  /// like, anything else is text.
  public init?(typed text: String, as kind: Kind? = nil) {
    switch kind {
    case nil: self = Self.guessed(text)
    case .string: self = .string(text)
    case .bool:
      guard let value = Bool(text) else { return nil }
      self = .bool(value)
    case .int, .uint:
      guard let value = Self.whole(text) else { return nil }
      self = value
    case .double:
      guard let value = Double(text) else { return nil }
      self = .double(value)
    case .decimal:
      guard let number = NumberText(text) else { return nil }
      self = SettingValue(number)
    case .plain:
      guard YAMLWord.isAmbiguous(text) else { return nil }
      self = .plain(text)
    case .date:
      guard let value = Timestamp.parse(text) else { return nil }
      self = .date(milliseconds: value)
    case .data:
      guard let bytes = Base64.decode(text) else { return nil }
      self = .data(bytes)
    case .null: return nil
    case .array, .dict:
      guard let value = Self.parsed(text), value.kind == kind else { return nil }
      self = value
    }
  }

  private static func guessed(_ text: String) -> SettingValue {
    if let whole = whole(text) { return whole }
    if let number = NumberText(text), number.text != "-0" { return SettingValue(number) }
    guard let value = parsed(text), value.kind != .string else { return .string(text) }
    return value
  }

  /// The value of strict JSON, with all digits of its numbers; nil for other texts.
  private static func parsed(_ text: String) -> SettingValue? {
    guard (try? JSON(parsing: text)) != nil,
      let root = try? JSONDocument.read(Array("{\"value\":\(text)}".utf8)),
      root.children.count == 1
    else { return nil }
    return try? SettingValue(root.children[0].node.value, in: .json)
  }

  private static func whole(_ text: String) -> SettingValue? {
    // Zero with a sign and numbers with leading zeros are meant as text.
    guard text == "\(Int64(text) ?? 0)" || text == "\(UInt64(text) ?? 0)" else { return nil }
    return Int64(text).map { .int($0) } ?? UInt64(text).map { .uint($0) }
  }

  /// The value in a line for people.
  public var text: String {
    switch self {
    case .string(let text), .decimal(let text), .plain(let text): text
    case .date(let milliseconds): Timestamp.format(milliseconds: milliseconds)
    case .data(let bytes): Base64.encode(bytes)
    default: json.text()
    }
  }
}

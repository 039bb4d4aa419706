import SyncKitFormats

/// Settings in the documents of apps.
///
/// | Value | JSON | YAML | TOML |
/// |---|---|---|---|
/// | date | `{"$date": "…"}` | `!!timestamp` | its own |
/// | data | `{"$data": "…"}`, base64 | `!!binary` | `{ "$data" = "…" }` |
/// | a number beyond 64 bits with a sign | a number | a number | `{ "$uint" = "…" }` |
/// | infinities, not a number | `{"$double": "inf"}` | `.inf`, `.nan` | `inf`, `nan` |
///
/// A dictionary of JSON or TOML whose one key begins with `$` is written as `{"$dict": {…}}`.
extension SettingValue {
  /// Reads a value.
  ///
  /// - Throws: ``SettingProblem`` for one that no setting can have.
  init(_ value: DocumentValue, in format: SettingsFormat) throws(SettingProblem) {
    switch value {
    case .bool(let value): self = .bool(value)
    case .number(let number): self = SettingValue(number)
    case .double(let value): self = .double(value)
    case .string(let text): self = .string(text)
    case .date(let milliseconds): self = .date(milliseconds: milliseconds)
    case .data(let bytes): self = .data(bytes)
    case .plain(let text): self = .plain(text)
    case .other(let reason): throw SettingProblem(reason)
    case .list(let items):
      var values: [SettingValue] = []
      for item in items { values.append(try Self.inner(item, in: format)) }
      self = .array(values)
    case .map(let members):
      if format.hasTags, members.count == 1,
        let tagged = try Self.tagged(members[0].key, members[0].value, in: format)
      {
        self = tagged
      } else {
        self = .dict(try Self.members(members, in: format))
      }
    }
  }

  /// A number: whole, the double with the same digits, or else the digits themselves.
  init(_ number: NumberText) {
    if number.isWhole, let value = Int64(number.text) {
      self = .int(value)
    } else if number.isWhole, let value = UInt64(number.text) {
      self = .uint(value)
    } else if !number.isWhole, let value = number.double {
      self = .double(value)
    } else {
      self = .decimal(number.explicit)
    }
  }

  private static func members(
    _ members: [DocumentValue.Member], in format: SettingsFormat
  ) throws(SettingProblem) -> [Member] {
    var result: [Member] = []
    for member in members {
      result.append(Member(member.key, try inner(member.value, in: format)))
    }
    return result
  }

  /// A value within another, which may be null.
  private static func inner(
    _ value: DocumentValue, in format: SettingsFormat
  ) throws(SettingProblem) -> SettingValue {
    value == .null ? .null : try SettingValue(value, in: format)
  }

  private static func tagged(
    _ tag: String, _ value: DocumentValue, in format: SettingsFormat
  ) throws(SettingProblem) -> SettingValue? {
    switch (tag, value) {
    case ("$dict", .map(let inner)): return .dict(try members(inner, in: format))
    case ("$dict", _), ("$date", _), ("$data", _), ("$uint", _), ("$double", _):
      guard case .string(let text) = value else {
        throw SettingProblem("the value of \(tag) has the wrong type")
      }
      return try SettingValue(JSON.object([tag: .string(text)]))
    default: return nil
    }
  }

  /// The value as a document of a format has it.
  func document(in format: SettingsFormat) -> DocumentValue {
    if format.isUntyped, ![.data, .array, .dict].contains(kind) { return .string(text) }
    switch self {
    case .bool(let value): return .bool(value)
    case .int(let value): return .number(NumberText(value))
    case .uint(let value):
      return format == .toml && value > UInt64(Int64.max)
        ? Self.tag("$uint", "\(value)") : .number(NumberText(value))
    case .decimal(let text): return NumberText(text).map { .number($0) } ?? .string(text)
    case .plain(let text): return .plain(text)
    case .double(let value):
      if format.isPropertyList { return .double(value) }
      if let number = NumberText(value) { return .number(number) }
      guard format == .json else { return .double(value) }
      return Self.tag("$double", value.isNaN ? "nan" : value < 0 ? "-inf" : "inf")
    case .string(let text): return .string(text)
    case .date(let milliseconds):
      return format == .json
        ? Self.tag("$date", Timestamp.format(milliseconds: milliseconds))
        : .date(milliseconds: milliseconds)
    case .data(let bytes):
      return format.hasTags ? Self.tag("$data", Base64.encode(bytes)) : .data(bytes)
    case .null: return .null
    case .array(let values): return .list(values.map { $0.document(in: format) })
    case .dict(let members):
      let map = DocumentValue.map(members.map { .init($0.key, $0.value.document(in: format)) })
      guard format.hasTags, members.count == 1, members[0].key.utf8.first == UInt8(ascii: "$")
      else { return map }
      return .map([.init("$dict", map)])
    }
  }

  private static func tag(_ name: String, _ text: String) -> DocumentValue {
    .map([.init(name, .string(text))])
  }
}

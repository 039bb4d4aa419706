public import SyncKitFormats

/// Settings in JSON, which has neither dates nor data: those are objects with one key.
///
/// | Value | JSON |
/// |---|---|
/// | date | `{"$date": "2026-11-21T08:00:00.000Z"}` |
/// | data | `{"$data": "AAEC"}`, base64 |
/// | a number beyond 64 bits with a sign | `{"$uint": "18446744073709551615"}` |
/// | a number with more digits | `{"$decimal": "0.1234567890123456789"}` |
/// | a word that readers of YAML take differently | `{"$plain": "yes"}` |
/// | infinities, not a number | `{"$double": "inf"}`, `"-inf"`, `"nan"` |
/// | a dictionary whose one key begins with `$` | `{"$dict": {…}}` |
///
/// A number with a point or an exponent is a double, any other an int.
extension SettingValue {
  /// The value as JSON.
  public var json: JSON {
    switch self {
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(value)
    case .uint(let value):
      return Int64(exactly: value).map { .int($0) } ?? ["$uint": .string("\(value)")]
    case .double(let value):
      guard value.isFinite else {
        return ["$double": .string(value.isNaN ? "nan" : value < 0 ? "-inf" : "inf")]
      }
      return .double(value)
    case .decimal(let text): return ["$decimal": .string(text)]
    case .string(let text): return .string(text)
    case .plain(let text): return ["$plain": .string(text)]
    case .date(let milliseconds):
      return ["$date": .string(Timestamp.format(milliseconds: milliseconds))]
    case .data(let bytes): return ["$data": .string(Base64.encode(bytes))]
    case .null: return .null
    case .array(let values): return .array(values.map(\.json))
    case .dict(let members):
      let object = JSON.object(JSONObject(members.map { ($0.key, $0.value.json) }))
      guard members.count == 1, members[0].key.utf8.first == UInt8(ascii: "$") else {
        return object
      }
      return ["$dict": object]
    }
  }

  /// Reads a value of JSON.
  ///
  /// - Throws: ``SettingProblem`` for null, which is not a value, and for an invalid `$` form.
  public init(_ json: JSON) throws(SettingProblem) {
    switch json {
    case .null: throw SettingProblem("a setting cannot be null")
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .double(let value): self = .double(value)
    case .string(let text): self = .string(text)
    case .array(let elements):
      var values: [SettingValue] = []
      for element in elements { values.append(try Self.inner(element)) }
      self = .array(values)
    case .object(let object):
      if object.count == 1, let member = object.members.first,
        let tagged = try Self.tagged(member.key, member.value)
      {
        self = tagged
      } else {
        self = .dict(try Self.members(object))
      }
    }
  }

  static func members(_ object: JSONObject) throws(SettingProblem) -> [Member] {
    var members: [Member] = []
    for (key, value) in object.members { members.append(Member(key, try inner(value))) }
    return members
  }

  /// A value within another, which may be null.
  private static func inner(_ json: JSON) throws(SettingProblem) -> SettingValue {
    json.isNull ? .null : try SettingValue(json)
  }

  private static func tagged(
    _ tag: String, _ value: JSON
  ) throws(SettingProblem) -> SettingValue? {
    let text = value.string ?? ""
    switch tag {
    case "$date": if let time = Timestamp.parse(text) { return .date(milliseconds: time) }
    case "$data": if let bytes = Base64.decode(text) { return .data(bytes) }
    case "$uint": if let number = UInt64(text) { return .uint(number) }
    case "$double":
      switch text {
      case "nan": return .double(.nan)
      case "inf": return .double(.infinity)
      case "-inf": return .double(-.infinity)
      default: break
      }
    case "$decimal": if let number = NumberText(text) { return SettingValue(number) }
    case "$plain": if YAMLWord.isAmbiguous(text) { return .plain(text) }
    case "$dict": if let object = value.object { return .dict(try members(object)) }
    default: return nil
    }
    throw SettingProblem("the value of \(tag) has the wrong type")
  }
}

/// Why something cannot be a setting, as a sentence without a full stop.
public struct SettingProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// The problem.
  public var description: String

  init(_ description: String) { self.description = description }
}

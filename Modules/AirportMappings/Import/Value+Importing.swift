import SyncKitFormats
import SyncKit

extension Value {
  /// Reads JSON of a file as a value of a field's type; nil if it is empty.
  ///
  /// Empty text and null are empty. A boolean may be written as 0 and 1, as the app's database
  /// does, or in words; a time is RFC 3339, or a day alone.
  /// - Throws: ``MappingProblem`` if it is not a value of that type.
  init?(importing json: JSON, as type: Field.ValueType) throws(MappingProblem) {
    if json.isNull { return nil }
    if case .string(let text) = json, AirportCode.trimmed(text).isEmpty { return nil }
    let text = json.string.map(AirportCode.trimmed)
    switch type {
    case .string:
      guard let text else { throw Self.problem(json, "text") }
      self = .string(text)
    case .bool:
      guard let truth = json.bool ?? Self.truth(json.int?.description ?? text) else {
        throw Self.problem(json, "true or false")
      }
      self = .bool(truth)
    case .instant:
      guard let time = text.flatMap(Timestamp.parse) else {
        throw Self.problem(json, "a time such as 2026-11-21T01:02:03Z")
      }
      self = .instant(time)
    case .int, .double, .bytes, .list, .map, .set, .any: throw Self.problem(json, type.rawValue)
    }
  }

  private static func truth(_ text: String?) -> Bool? {
    switch text?.asciiLowercased {
    case "true", "yes", "1": true
    case "false", "no", "0": false
    default: nil
    }
  }

  private static func problem(_ json: JSON, _ wanted: String) -> MappingProblem {
    MappingProblem("", "The value must be \(wanted), not \(json.shown).")
  }
}

extension JSON {
  /// The value in a message.
  var shown: String {
    switch self {
    case .string(let text): "“\(DisplayWidth.truncated(DisplayWidth.sanitized(text), to: 30))”"
    case .array: "an array"
    case .object: "an object"
    default: text()
    }
  }
}

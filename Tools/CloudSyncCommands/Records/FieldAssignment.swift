import CommandFoundation
import SyncKit

/// One `FIELD=VALUE` of a command line.
struct FieldAssignment {
  let name: String
  private(set) var text: String

  /// Splits at the first `=`; nil without one, or with nothing before it.
  init?(_ word: String) {
    guard let equals = word.firstIndex(of: "="), equals > word.startIndex else { return nil }
    name = String(word[..<equals])
    text = String(word[word.index(after: equals)...])
  }

  /// The fields that words of a command line set, each of its type; an empty value unsets the field.
  ///
  /// `typed` gives what a text with a unit means for a field.
  ///
  /// - Throws: ``SyncError`` `usage` for a word that is no assignment, an unknown field and one that
  ///   comes twice; `input.invalid` for a value of another type, which is not told if `isPrivate`.
  static func fields(
    _ words: [String], of collection: RecordType, isPrivate: Bool,
    typed: ((FieldName, String) -> String?)? = nil
  ) throws -> [FieldName: Value] {
    var fields: [FieldName: Value] = [:]
    for word in words {
      guard var assignment = FieldAssignment(word) else {
        let shown = isPrivate ? "a word" : "'\(Sanitized.line(word))'"
        throw SyncError(.usage, "\(shown) does not set a field", hint: "write FIELD=VALUE")
      }
      let name = FieldName(assignment.name)
      guard collection.fieldNames.contains(name), let field = collection.field(name) else {
        throw SyncError.unknownName(
          "field of \(collection.name)", assignment.name,
          among: collection.fieldNames.map(\.text))
      }
      guard fields[name] == nil else {
        throw SyncError(.usage, "the field '\(name)' is set twice")
      }
      if let text = typed?(name, assignment.text) { assignment.text = text }
      fields[name] = try assignment.value(of: field, isPrivate: isPrivate)
    }
    return fields
  }

  private func value(of field: Field, isPrivate: Bool) throws -> Value {
    if text.isEmpty { return .null }
    if let value = Value(typed: text, as: field.type) { return value }
    let found = isPrivate ? "" : ", not '\(Sanitized.line(text))'"
    throw SyncError(
      .inputInvalid, "the field '\(field.name)' takes \(field.type.phrase)\(found)")
  }
}

extension Field.ValueType {
  /// The type in words.
  var phrase: String {
    switch self {
    case .bool: "true or false"
    case .int: "a whole number"
    case .double: "a number"
    case .string: "text"
    case .bytes: "bytes in base64"
    case .instant: "a time such as 2026-11-21T08:00:00Z"
    case .list, .set: "a list, separated by commas or as JSON"
    case .map: "a JSON object"
    case .any: "any value"
    }
  }
}

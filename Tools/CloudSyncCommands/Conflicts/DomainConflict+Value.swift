import CommandFoundation
import SyncKitFormats
import SyncKit

extension DomainConflict {
  /// The value that a person means by a text: of the field's type, or of a group an object of JSON or
  /// what the domain understands.
  ///
  /// Missing members of a group get the values of a new record, since a group is kept or lost whole.
  ///
  /// - Throws: ``SyncError`` `input.invalid` for a value that the field cannot have, `usage` for a
  ///   member that the group lacks.
  func value(typed text: String) throws -> Value {
    let name = conflict.field.field
    guard let group = field, !group.members.isEmpty else {
      let type = field?.type ?? .any
      guard let value = Value(typed: text, as: type) else {
        throw Self.refusal("the field '\(name)' takes \(type.phrase)")
      }
      return try written([name: value])[name] ?? value
    }
    let fields = try written(members(of: group, typed: text), isWhole: true)
    return .map(
      ValueMap(
        group.members.compactMap { member in
          fields[member.name].flatMap { $0.isNull ? nil : (member.name, $0) }
        }))
  }

  /// The warnings about a value that is none of the candidates, as with `add` and `set`.
  func concerns(about value: Value) -> [String] {
    var fields = [conflict.field.field: value]
    if case .map(let members) = value, !(field?.members.isEmpty ?? true) {
      fields = Dictionary(
        members.members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
    return domain.concerns(
      about: RecordDraft(
        conflict.key.collection, id: conflict.key.id, fields: fields, isNew: false)
    ).messages
  }

  /// The plain field or group of the conflict; nil for one that this build does not know.
  private var field: Field? {
    domain.domain.schema[conflict.key.collection]?.registered(conflict.field.field)
  }

  private func members(of group: Field, typed text: String) throws -> [FieldName: Value] {
    guard text.hasPrefix("{") else {
      if let known = domain.groupFields(group.name, from: text) { return known }
      let first = group.members.first?.name.text ?? ""
      throw Self.refusal("the group '\(group.name)' takes a JSON object such as {\"\(first)\": …}")
    }
    let object: JSONObject?
    do throws(JSONError) { object = try JSON(parsing: text).object } catch {
      throw Self.refusal("the value is not valid JSON: \(error)")
    }
    var fields: [FieldName: Value] = [:]
    for (key, json) in object?.members ?? [] {
      guard let member = group.members.first(where: { $0.name.text == key }) else {
        throw SyncError.unknownName(
          "field of '\(group.name)'", key, among: group.members.map(\.name.text))
      }
      guard let value = Value(json: json, as: member.type) else {
        throw Self.refusal("the field '\(key)' takes \(member.type.phrase)")
      }
      fields[member.name] = value
    }
    return fields
  }

  /// The fields in the form in which the domain would store them.
  private func written(
    _ fields: [FieldName: Value], isWhole: Bool = false
  ) throws -> [FieldName: Value] {
    var draft = RecordDraft(
      conflict.key.collection, id: conflict.key.id, fields: fields, isNew: false)
    try domain.domain.normalize(&draft)
    if isWhole { try domain.domain.complete(&draft, over: nil) }
    return draft.fields
  }

  private static func refusal(_ message: String) -> SyncError { SyncError(.inputInvalid, message) }
}

import SyncKitFormats
import SyncKit

/// The content of a setting's record: one value, or the values of a group.
enum SettingRecord: Equatable {
  case single(SettingValue)
  case group([String: SettingValue])

  /// The type of a record that holds a group.
  static let group = "group"

  /// Takes the content of a record; nil when nothing is set in it.
  init?(_ record: Record) {
    let stored = record[.value]
    if record[.type].string == Self.group, let map = stored.map {
      self = .group(
        Dictionary(
          map.members.compactMap { member in
            SettingValue(stored: member.value).map { (member.name.text, $0) }
          }, uniquingKeysWith: { $1 }))
    } else if let value = SettingValue(stored: stored) {
      self = .single(value)
    } else {
      return nil
    }
  }

  /// The fields of a draft.
  func fields(merge: MergeRule = .newest) -> [FieldName: Value] {
    let rule: Value = merge == .newest ? .null : .string(merge.rawValue)
    switch self {
    case .single(let value):
      return [.type: .string(value.kind.rawValue), .value: value.stored, .merge: rule]
    case .group(let values):
      let map = ValueMap(values.map { (FieldName($0.key), $0.value.stored) })
      return [.type: .string(Self.group), .value: .map(map), .merge: rule]
    }
  }

  /// A value with the name of its type; texts of documents become the dates and bytes that they
  /// represent.
  ///
  /// - Throws: ``SyncError`` `input.invalid` when the value has another type.
  static func typed(_ value: Value, as type: String?) throws -> (String, Value) {
    if type == group {
      guard case .map = value else { throw mismatch(value, group) }
      return (group, value)
    }
    guard let setting = SettingValue(stored: value) else {
      throw SyncError(.inputInvalid, "A value is missing.")
    }
    guard let type else { return (setting.kind.rawValue, setting.stored) }
    guard let kind = SettingValue.Kind(rawValue: type) else {
      let known = SettingValue.Kind.allCases.map(\.rawValue) + [group]
      throw SyncError(
        .inputInvalid, "There is no type '\(type)'.",
        hint: "The types are \(known.joined(separator: ", ")).")
    }
    if setting.kind == kind { return (type, setting.stored) }
    let converted: SettingValue? =
      switch (kind, setting) {
      case (.date, .string(let text)): Timestamp.parse(text).map { .date(milliseconds: $0) }
      case (.data, .string(let text)):
        Base64.decode(text).map { .data($0) }
      case (.uint, .string(let text)): UInt64(text).map { .uint($0) }
      default: nil
      }
    guard let converted else { throw mismatch(value, type) }
    return (converted.kind.rawValue, converted.stored)
  }

  private static func mismatch(_ value: Value, _ type: String) -> SyncError {
    let kind = SettingValue(stored: value)?.kind.rawValue ?? "nothing"
    return SyncError(.inputInvalid, "The value must be of type \(type), not \(kind).")
  }
}

public import SyncKit

/// The domain of settings: typed values of any app, one namespace for each.
///
/// - A value has a type. Without a stated type it is that of the value; a type that does not match is
///   refused, and never guessed from a text.
/// - A setting without a record is unset, which differs from every value, 0 and false included.
///   Deleting its record unsets it, so that a reset reaches every device.
/// - Keys are compared byte by byte and may have any characters; namespaces are like reverse domain
///   names: letters, digits, `.`, `-` and `_`.
public struct SettingsDomain: SyncDomain {
  /// Makes the domain.
  public init() {}

  public var schema: DomainSchema { .settings }

  public func normalize(_ draft: inout RecordDraft) throws {
    switch draft.collection {
    case .namespace: try normalizeNamespace(&draft)
    case .setting, .override, .localValue:
      try checkKey(draft.id)
      try normalizeContent(&draft)
    default: break
    }
  }

  private func normalizeNamespace(_ draft: inout RecordDraft) throws {
    let name = draft.id?.text ?? ""
    guard SettingsNamespace.isName(name) else {
      throw SyncError(
        .inputInvalid, "A namespace must have 1 to 128 letters, digits, '.', '-' and '_'.",
        hint: "such as com.example.app")
    }
    for field in [FieldName.include, .exclude, .localKeys] {
      guard case .list(let patterns) = draft.fields[field] else { continue }
      for pattern in patterns where pattern.string?.isEmpty != false {
        throw SyncError(.inputInvalid, "The field '\(field)' takes patterns such as 'window.*'.")
      }
    }
    if let declared = draft.fields[.declaration], !declared.isNull {
      do throws(SettingProblem) {
        _ = try SettingsDeclaration(stored: declared)
      } catch {
        throw SyncError(.inputInvalid, "Could not use the declaration: \(error).")
      }
    }
  }

  private func checkKey(_ id: RecordID?) throws {
    guard let id, !id.text.isEmpty else {
      throw SyncError(.inputInvalid, "A setting needs a key.")
    }
    guard !id.text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
      throw SyncError(.inputInvalid, "A key must not contain control characters.")
    }
  }

  /// Gives a value its type, or a type its value.
  private func normalizeContent(_ draft: inout RecordDraft) throws {
    let type = draft.fields[.type]?.string
    guard let value = draft.fields[.value], !value.isNull else {
      guard draft.fields[.type] == nil || draft.fields[.value]?.isNull == true else {
        throw SyncError(.inputInvalid, "A type needs a value.")
      }
      if draft.fields[.value] != nil { draft.fields[.type] = .null }
      return
    }
    guard value.nesting <= SettingsDomain.maximumNesting else {
      throw SyncError(.inputInvalid, "The value is nested too deeply.")
    }
    if let merge = draft.fields[.merge]?.string, MergeRule(rawValue: merge) == nil {
      throw SyncError(.inputInvalid, "There is no merge rule '\(merge)'.")
    }
    let (name, typed) = try SettingRecord.typed(value, as: type)
    draft.fields[.type] = .string(name)
    draft.fields[.value] = typed
  }

  /// The maximum nesting of lists and dictionaries, below the limit of a record.
  static let maximumNesting = 24
}

extension Value {
  /// The nesting of lists and maps.
  var nesting: Int {
    switch self {
    case .list(let values): 1 + (values.map(\.nesting).max() ?? 0)
    case .map(let map): 1 + (map.members.map(\.value.nesting).max() ?? 0)
    default: 0
    }
  }
}

import SyncKitFormats
import SyncKit

/// The form of a declaration in files and records.
///
/// ```json
/// {
///   "keys": {
///     "appFont": { "type": "string", "default": "system", "choices": ["system", "Menlo"] },
///     "frameColor": { "type": "string", "format": "color", "default": "#3A3A3A" },
///     "level": { "type": "double", "minimum": 0, "maximum": 1, "merge": "max", "setFlag": "levelIsSet" }
///   },
///   "groups": { "frame": ["frameTheme", "frameColor"] },
///   "limits": "keyValueStore"
/// }
/// ```
extension SettingsDeclaration {
  /// Reads a declaration.
  ///
  /// - Throws: ``SettingProblem`` that names the key.
  public init(_ value: SettingValue) throws(SettingProblem) {
    self.init()
    guard case .dict(let sections) = value else {
      throw SettingProblem("a declaration must be a map")
    }
    for section in sections {
      switch (section.key, section.value) {
      case ("keys", .dict(let keys)):
        for member in keys {
          do throws(SettingProblem) {
            settings[member.key] = try SettingDeclaration(member.value)
          } catch {
            throw SettingProblem("'\(member.key)': \(error)")
          }
        }
      case ("groups", .dict(let groups)):
        for member in groups { self.groups[member.key] = try Self.keys(member) }
      case ("limits", .string("keyValueStore")): keepsKeyValueStoreLimits = true
      case ("version", .int(1)): break
      default:
        throw SettingProblem(
          "'\(section.key)' is unknown or has the wrong type; a declaration has keys, groups and limits"
        )
      }
    }
    try checkGroups()
  }

  /// Reads the declaration in a record.
  init(stored value: Value) throws(SettingProblem) {
    guard let setting = SettingValue(stored: value) else {
      self.init()
      return
    }
    try self.init(setting)
  }

  private static func keys(_ group: SettingValue.Member) throws(SettingProblem) -> [String] {
    guard case .array(let elements) = group.value else {
      throw SettingProblem("the group '\(group.key)' must be a list of keys")
    }
    let keys = elements.compactMap(\.string)
    guard keys.count == elements.count, !keys.isEmpty else {
      throw SettingProblem("the group '\(group.key)' must be a list of keys")
    }
    return keys
  }

  private func checkGroups() throws(SettingProblem) {
    var owners: [String: String] = [:]
    for (name, keys) in groups.sorted(by: { $0.key < $1.key }) {
      guard settings[name] == nil else {
        throw SettingProblem("'\(name)' names both a group and a key")
      }
      for key in keys {
        if let other = owners.updateValue(name, forKey: key) {
          throw SettingProblem("'\(key)' is in the groups '\(other)' and '\(name)'")
        }
      }
    }
  }

  /// The declaration as it was read, for a record.
  public var value: SettingValue {
    func sorted<V>(_ map: [String: V], _ write: (V) -> SettingValue) -> SettingValue {
      .dict(
        map.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
          .map { SettingValue.Member($0.key, write($0.value)) })
    }
    var sections = [
      SettingValue.Member("keys", sorted(settings, \.value)),
      SettingValue.Member(
        "groups", sorted(groups) { .array($0.map { .string($0) }) }),
    ]
    if keepsKeyValueStoreLimits {
      sections.append(SettingValue.Member("limits", .string("keyValueStore")))
    }
    return .dict(sections)
  }
}

extension SettingDeclaration {
  init(_ value: SettingValue) throws(SettingProblem) {
    guard case .dict(let members) = value,
      let kind = members.first(where: { $0.key == "type" })?.value.string
        .flatMap({ SettingValue.Kind(rawValue: $0) })
    else {
      let known = SettingValue.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw SettingProblem("needs a type, one of \(known)")
    }
    self.init(kind)
    for member in members where member.key != "type" {
      switch (member.key, member.value) {
      case ("default", let value): fallback = value
      case ("choices", .array(let values)): choices = values
      case ("format", .string("color")) where kind == .string: format = .color
      case ("minimum", let value): minimum = value.number
      case ("maximum", let value): maximum = value.number
      case ("setFlag", .string(let flag)): setFlag = flag
      case ("merge", .string(let rule)):
        guard let known = MergeRule(rawValue: rule) else {
          let rules = MergeRule.allCases.map(\.rawValue).joined(separator: ", ")
          throw SettingProblem("'merge' must be one of \(rules)")
        }
        merge = known
      default: throw SettingProblem("'\(member.key)' is unknown or has the wrong type")
      }
    }
    if let declared = fallback { fallback = try checked(declared) }
  }

  var value: SettingValue {
    var members: [SettingValue.Member] = [.init("type", .string(kind.rawValue))]
    if let fallback { members.append(.init("default", fallback)) }
    if !choices.isEmpty { members.append(.init("choices", .array(choices))) }
    if let format { members.append(.init("format", .string(format.rawValue))) }
    if let minimum { members.append(.init("minimum", .double(minimum))) }
    if let maximum { members.append(.init("maximum", .double(maximum))) }
    if merge != .newest { members.append(.init("merge", .string(merge.rawValue))) }
    if let setFlag { members.append(.init("setFlag", .string(setFlag))) }
    return .dict(members)
  }
}

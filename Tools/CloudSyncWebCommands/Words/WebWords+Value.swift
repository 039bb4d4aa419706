import SyncKitFormats

extension WebWords {
  /// A value for people: of a group, the members in which it differs from others, a line each.
  func value(_ value: JSON?, besides others: [JSON?] = []) -> String {
    guard let members = value?.object?.members else {
      let text = DataField.text(value)
      return text.isEmpty ? "–" : text
    }
    let names = members.map(\.key)
    let different = names.filter { name in others.contains { $0?[name] != value?[name] } }
    return (different.isEmpty ? names : different).map { name in
      let text = DataField.text(value?[name])
      return "\(self.name(name, of: "field")): \(text.isEmpty ? "–" : text)"
    }.joined(separator: "\n")
  }
}

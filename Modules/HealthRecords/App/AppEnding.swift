import SyncKit

/// What the app's export says of an entry that is over or uncertain: in brackets after its name.
///
/// The app has no field for it, and without it would show an ended medicine as one of today:
/// `Amoxicillin (stopped, until 2022-01-10)`.
struct AppEnding {
  /// The name without the brackets.
  private(set) var name: String
  private(set) var status: EntryStatus?
  private(set) var until: HealthDate?

  /// The name of an entry as the app gets it.
  static func name(of entry: HealthEntry) -> String {
    let name = entry.record[entry.kind.title].string ?? ""
    let status = NoneKnown.isStatement(name, entry.kind) ? nil : entry.status
    let parts = [status?.words, entry.record[.until].string.map { "until \($0)" }]
      .compactMap(\.self)
    return parts.isEmpty ? name : "\(name) (\(parts.joined(separator: ", ")))"
  }

  /// Reads such a name; nil for any other.
  init?(_ text: String) {
    guard text.hasSuffix(")"), let open = text.ranges(of: " (").last else { return nil }
    name = String(text[..<open.lowerBound])
    for part in text[open.upperBound...].dropLast().split(separator: ",").map({ String($0).trimmed }
    ) {
      if part.hasPrefix("until "), let date = HealthDate(String(part.dropFirst(6))) {
        until = date
      } else if let status = EntryStatus.allCases.first(where: { $0.words == part }) {
        self.status = status
      } else {
        return nil
      }
    }
    if status == nil, until == nil { return nil }
  }

  /// The fields that follow, of those that the kind has.
  func fields(_ kind: EntryKind) -> [FieldName: Value] {
    let type = DomainSchema.health[kind.collection]
    var fields: [FieldName: Value] = [kind.title: .string(name)]
    if let status, type?.field(.status) != nil { fields[.status] = .string(status.rawValue) }
    if let until {
      guard type?.field(.until) != nil else { return [:] }
      fields[.until] = .string(until.text)
    }
    return fields
  }
}

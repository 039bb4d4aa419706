public import SyncKit

/// A person or pet, with the names for display.
public struct HealthSubject: Sendable {
  /// The record.
  public let record: Record

  /// Takes a record; nil if it is of another collection.
  public init?(_ record: Record) {
    guard record.key.collection == .subject else { return nil }
    self.record = record
  }

  /// Whether it is a pet.
  public var isPet: Bool { record[.isPet].bool ?? false }

  /// The name as the app shows it: of a pet its name, of a person family, given and nick name.
  public var displayName: String {
    let fields: [FieldName] = isPet ? [.petName] : [.familyName, .givenName, .nickName]
    let names = fields.compactMap { record[$0].string }
    return names.isEmpty ? (isPet ? "Pet" : "Person") : names.joined(separator: " - ")
  }

  /// The name in spoken order.
  public var spokenName: String {
    guard !isPet else { return displayName }
    let names = [FieldName.givenName, .familyName].compactMap { record[$0].string }
    return names.isEmpty ? displayName : names.joined(separator: " ")
  }

  /// The sort key of lists: people before pets, then by name.
  public var sortKey: String { (isPet ? "1-" : "0-") + displayName.lowercased() }

  /// The birthday.
  public var birthdate: HealthDate? { record[.birthdate].string.flatMap { HealthDate($0) } }

  /// Whether a text means this one: its id or the start of it, or one of its names.
  func answers(to text: String) -> Bool {
    let wanted = text.folded
    guard !wanted.isEmpty else { return false }
    let names =
      [displayName, spokenName]
      + [FieldName.givenName, .nickName, .petName, .familyName].compactMap { record[$0].string }
    return names.contains { $0.folded == wanted } || hasID(startingWith: wanted)
  }

  func hasID(startingWith text: String) -> Bool {
    text.utf8.count >= 4 && record.key.id.text.lowercased().hasPrefix(text.folded)
  }

  /// The one subject that a text means: by its whole id, by a name, or by the start of the id.
  ///
  /// - Throws: ``SyncKit/SyncError`` `record.not-found` for none, `usage` for several; neither repeats
  ///   a name.
  public static func find(_ text: String, among subjects: [HealthSubject]) throws -> HealthSubject {
    let found =
      subjects.filter { $0.record.key.id.text.folded == text.folded }.first.map { [$0] }
      ?? subjects.filter { $0.answers(to: text) }
    if found.count == 1 { return found[0] }
    guard found.isEmpty else {
      let ids = found.map { $0.record.key.id.text }.sorted().joined(separator: ", ")
      throw SyncError(
        .usage, "several people or pets match that name or id", hint: "use an id: \(ids)")
    }
    throw SyncError(
      .notFound, "no person or pet matches that name or id",
      hint: "'cloudsync health subject list' shows their ids and names")
  }
}

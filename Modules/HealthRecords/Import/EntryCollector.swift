import SyncKit

/// Collects the records of a file: subjects before their entries, ids derived where there are none.
struct EntryCollector {
  let options: HealthImportOptions
  private(set) var result = ImportedRecords(rows: [])
  private var ordinals: [RecordID: Int] = [:]
  private var keys: [RecordID: EntryID] = [:]
  private var seen: Set<String> = []
  /// The number of items left out, by kind, with the place of the first.
  private var leftOut: [String: (count: Int, row: Int?)] = [:]
  private var subjectCount = 0

  init(_ options: HealthImportOptions) { self.options = options }

  /// Decides which subject a file means, and takes its fields.
  ///
  /// A chosen subject comes first, then the id that the file gives, then the one known subject with the
  /// same names and birthday, then a new one.
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when the file's subject is ambiguous.
  mutating func subject(
    row: Int?, statedID: String?, _ fields: [FieldName: Value], at: Int64? = nil
  ) throws -> RecordID {
    subjectCount += 1
    var draft = RecordDraft(.subject, fields: fields, at: at)
    do { try HealthRules.normalize(&draft, zone: options.zone) } catch let error as SyncError {
      fail(row, "subject", error.message)
      draft.fields = [:]
    }
    draft.fields = draft.fields.filter { !$0.value.isNull }
    if options.subject != nil, subjectCount > 1 {
      throw SyncError(
        .inputInvalid, "The file is about several people or pets.",
        hint: "omit --subject; each person or pet is then matched or added separately")
    }
    let id = try options.subject ?? statedID.flatMap(Self.usableID) ?? known(draft) ?? newID()
    draft.id = id
    if options.subject == nil || !draft.fields.isEmpty {
      result.rows.append(ImportedRecords.Row(row: row, draft: draft))
    }
    return id
  }

  /// The subject of a file that names none.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` without a chosen subject.
  func chosenSubject() throws -> RecordID {
    if let subject = options.subject { return subject }
    throw SyncError(
      .inputInvalid, "The file does not say whose it is.", hint: "name a subject with --subject")
  }

  /// Takes an entry, or records its fault.
  ///
  /// An entry without an id gets one that follows from its date and its name: its title, or `naming`.
  /// `what` names its kind to a person.
  mutating func entry(
    row: Int?, _ kind: EntryKind, of subject: RecordID, statedID: String? = nil,
    _ fields: [FieldName: Value], at: Int64? = nil, naming: String? = nil, as what: String? = nil
  ) {
    var draft = RecordDraft(
      kind.collection, parent: RecordKey(collection: .subject, id: subject), fields: fields, at: at)
    do {
      try HealthRules.normalize(&draft, zone: options.zone)
      draft.fields = draft.fields.filter { !$0.value.isNull }
      var whole = draft
      try HealthRules.complete(&whole, over: nil)
    } catch let error as SyncError {
      return fail(row, kind.rawValue, error.message)
    } catch {
      return fail(row, kind.rawValue, "Could not read the entry.")
    }
    guard !draft.fields.isEmpty else { return }
    draft.id = statedID.flatMap(Self.usableID) ?? derivedID(draft, kind, subject, naming)
    guard seen.insert("\(kind.rawValue)/\(draft.id ?? "")").inserted else {
      return fail(row, kind.rawValue, "An earlier entry in the file has the same id.")
    }
    result.rows.append(ImportedRecords.Row(row: row, draft: draft, kind: what))
  }

  /// Records a fault at a place.
  mutating func fail(_ row: Int?, _ column: String?, _ message: String) {
    result.faults.append(ImportedRecords.Fault(row: row, column: column, message: message))
  }

  /// Counts something that is not supported.
  mutating func leaveOut(_ what: String, count: Int = 1, row: Int? = nil) {
    leftOut[what, default: (0, row)].count += count
  }

  /// Adds a warning about the whole file.
  mutating func warn(_ sentence: String) { result.warnings.append(sentence) }

  /// Says how the file as a whole was read.
  mutating func note(_ sentence: String) { result.notes.append(sentence) }

  /// Everything, with a sentence for each kind that was left out.
  func records() -> ImportedRecords {
    var result = result
    result.passedOver += leftOut.sorted { $0.key < $1.key }.map { what, left in
      ImportedRecords.PassedOver(kind: what, count: left.count, first: left.row)
    }
    return result
  }

  private mutating func derivedID(
    _ draft: RecordDraft, _ kind: EntryKind, _ subject: RecordID, _ naming: String?
  ) -> RecordID {
    let ids = keys[subject] ?? EntryID(subject: subject)
    keys[subject] = ids
    let date = draft.fields[.date]?.string ?? ""
    let name =
      switch draft.fields[kind.title] {
      case .string where naming != nil: naming ?? ""
      case .string(let text):
        draft.fields[.result]?.string.map { "\(text): \($0)" } ?? text
      // Two weights of one time are two only if their numbers differ; the ordinal distinguishes the
      // rest.
      case .double(let number): number.plainText
      default: ""
      }
    let first = ids.derived(kind, date: date, name: name, ordinal: 0)
    var ordinal = ordinals[first] ?? 0
    var id = first
    repeat {
      id = ids.derived(kind, date: date, name: name, ordinal: ordinal)
      ordinal += 1
    } while seen.contains("\(kind.rawValue)/\(id)")
    ordinals[first] = ordinal
    return id
  }

  /// Whether two descriptions are of the same person or pet.
  static func isSame(_ one: [FieldName: Value], _ other: [FieldName: Value]) -> Bool {
    let likeness = SubjectLikeness(one)
    return likeness.hasName && likeness == SubjectLikeness(other)
  }

  private func known(_ draft: RecordDraft) -> RecordID? {
    let wanted = SubjectLikeness(draft.fields)
    guard wanted.hasName else { return nil }
    let found = options.known.filter { !$0.isDeleted && SubjectLikeness($0.fields) == wanted }
    return found.count == 1 ? found[0].key.id : nil
  }

  private func newID() throws -> RecordID {
    guard let newID = options.newID else { return try chosenSubject() }
    return newID()
  }

  /// An id from a file, if it can be one of ours.
  private static func usableID(_ text: String) -> RecordID? {
    let text = text.trimmed
    guard (1...128).contains(text.utf8.count), text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      return nil
    }
    return RecordID(text)
  }
}

/// The key by which two descriptions of a person or pet are the same.
private struct SubjectLikeness: Equatable {
  let isPet: Bool
  let names: [String]
  let birthdate: String

  init(_ fields: [FieldName: Value]) {
    let isPet = fields[.isPet]?.bool ?? false
    self.isPet = isPet
    let names: [FieldName] = isPet ? [.petName] : [.familyName, .givenName]
    self.names = names.map { fields[$0]?.string?.folded ?? "" }
    birthdate = fields[.birthdate]?.string ?? ""
  }

  var hasName: Bool { names.contains { !$0.isEmpty } }
}

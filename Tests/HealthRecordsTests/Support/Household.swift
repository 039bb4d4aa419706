import SyncKitFormats
import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

@testable import HealthRecords

/// A test device: a store of health records in memory.
final class Household: Sendable {
  let store: SyncStore
  let engine: SyncEngine
  let storage = FragileStorage()
  let remote: InMemoryTransport

  init(
    _ name: String, meeting remote: InMemoryTransport = InMemoryTransport(),
    clock: VirtualClock = VirtualClock()
  ) throws {
    self.remote = remote
    let seed = name.utf8.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) }
    store = try SyncStore(
      HealthDomain(), storage: storage, coding: DeflateSegmentCoding(),
      device: Device(id: "device-\(name)", name: name),
      environment: .seeded(SeededRandom(seed: seed), clock: clock))
    engine = SyncEngine(
      store: store, remotes: [Remote("memory", location: "memory:", transport: remote)])
  }

  @discardableResult
  func add(_ fields: [FieldName: Value], id: RecordID = .anna) throws -> RecordKey {
    try store.write { try $0.save(RecordDraft("subject", id: id, fields: fields)).key }.result
  }

  @discardableResult
  func add(
    _ kind: EntryKind, _ fields: [FieldName: Value], of subject: RecordID = .anna,
    id: RecordID? = nil
  ) throws -> RecordKey {
    let parent = RecordKey.root("subject", subject)
    return try store.write {
      try $0.save(RecordDraft(kind.collection, id: id, parent: parent, fields: fields)).key
    }.result
  }

  func setScope(_ scope: Record.Scope, _ id: RecordID = .anna) throws {
    let record = try #require(try store.record("subject", id))
    try store.setScope(scope, of: record.key)
  }

  func subject(_ id: RecordID = .anna) throws -> Record? {
    try store.record("subject", id).flatMap { $0.isDeleted ? nil : $0 }
  }

  func tree(_ id: RecordID = .anna) throws -> HealthTree {
    let subject = try #require(try subject(id).flatMap { HealthSubject($0) })
    return HealthTree(
      subject, entries: try EntryKind.allCases.flatMap { try store.records($0.collection) })
  }

  /// Every record that there is.
  func records() throws -> [Record] {
    try DomainSchema.health.collections.flatMap { try store.records($0.name) }
  }

  /// Imports a file as a command would: nothing if there is a fault.
  @discardableResult
  func `import`(
    _ text: String, format: String? = nil, _ options: HealthImportOptions = .new
  ) throws -> BatchSummary {
    let read = try imported(text, format: format, options)
    #expect(read.faults.isEmpty, "\(read.faults)")
    return try store.importAll(read.rows.map(\.draft))
  }

  func export(_ format: HealthExportFormat) throws -> String {
    String(decoding: try HealthExport(records()).bytes(format), as: UTF8.self)
  }
}

extension RecordID {
  static let anna: RecordID = "7d9f1c3e-2b64-4a8e-9f0d-5c1e8a2b3d4f"
  static let rex: RecordID = "0b5c2f6a-91de-4c37-8f25-6d7e8f9a0b1c"
}

extension HealthImportOptions {
  /// The subject for a file that names none: a new person with a fixed id.
  static var new: HealthImportOptions { HealthImportOptions(newID: { .anna }) }
  /// Entries go to Anna.
  static var anna: HealthImportOptions { HealthImportOptions(subject: .anna) }
}

/// Reads a file in a format of the domain.
func imported(
  _ text: String, format: String? = nil, _ options: HealthImportOptions = .new
) throws -> ImportedRecords {
  let domain = HealthDomain(importing: options)
  let bytes = Array(text.utf8)
  if var reader = try domain.streamingImport(name: nil, format: format, head: bytes) {
    try reader.read(bytes[...])
    return try reader.finish()
  }
  return try #require(try domain.importRecords(bytes, format: format))
}

/// The message with which a whole file is refused.
func refusal(
  of text: String, format: String? = nil, _ options: HealthImportOptions = .new
) -> String {
  let error = #expect(throws: SyncError.self) { try imported(text, format: format, options) }
  #expect(error?.code == .inputInvalid)
  return error?.message ?? ""
}

/// Syncs devices with their remote, one after another.
func sync(_ households: Household...) async throws {
  for household in households { _ = try await household.engine.syncNow() }
}

extension ImportedRecords {
  /// What was left out with its count, then everything else that a person should know.
  var remarks: [String] {
    passedOver.map { "left out: \($0.kind) (\($0.count))" } + warnings + notes
  }

  /// The drafts of a kind.
  func drafts(_ kind: EntryKind) -> [RecordDraft] {
    rows.map(\.draft).filter { $0.collection == kind.collection }
  }
}

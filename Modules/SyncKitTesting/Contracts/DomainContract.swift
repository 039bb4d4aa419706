import SegmentFormat
import SyncKit

/// Checks that a domain keeps what ``SyncDomain`` asks of it.
///
/// A test of a domain of your own is one line:
///
///     #expect(try await DomainContract(drafts: drafts).violations(of: BookDomain()) == [])
///
/// The schema is read for names that cannot be told apart and policies that depend on order; then
/// two devices write the drafts, each a different part first, and must agree.
public struct DomainContract: Sendable {
  private let drafts: [RecordDraft]

  /// Makes the contract.
  ///
  /// - Parameter drafts: Records as people would write them, the more different the better; their
  ///   parents first.
  public init(drafts: [RecordDraft]) { self.drafts = drafts }

  /// The broken promises, one sentence each; empty when the domain keeps them all.
  public func violations(of domain: any SyncDomain) async throws -> [String] {
    var found = schemaViolations(domain.schema)
    found += normalizeViolations(domain)
    found += try await agreementViolations(domain)
    found += try exchangeViolations(domain)
    return found
  }

  // MARK: The schema

  private func schemaViolations(_ schema: DomainSchema) -> [String] {
    var found: [String] = []
    if !Self.isName(schema.name, upper: false) {
      found.append("The domain's name is not a folder name.")
    }
    for name in Self.doubles(schema.collections.map(\.name)) {
      found.append("The collection \(name) is there twice.")
    }
    for type in schema.collections {
      let registers = type.fields.map(\.name)
      // A member may bear the name of its own group: the register is the group's, the field its own.
      let members = type.fields.flatMap { field in
        field.members.map(\.name).filter { $0 != field.name }
      }
      for name in Self.doubles(registers + members) {
        found.append("\(type.name) has the field \(name) twice.")
      }
      for name in [type.name.text] + (registers + members).map(\.text)
      where !Self.isName(name, upper: true) {
        found.append("'\(name)' in \(type.name) is not a name: letters, digits and - only.")
      }
      for parent in type.parents where schema[parent] == nil {
        found.append("\(type.name) has parents of \(parent), which is not a collection.")
      }
      if type.placement == .parent, type.parents.isEmpty {
        found.append("\(type.name) lives with its parent and has none.")
      }
      for problem in type.indexes.compactMap(type.problem) {
        found.append("An index of \(type.name) cannot be kept: \(problem).")
      }
      for field in type.fields {
        for violation in ConflictPolicyContract().violations(of: field.policy) {
          found.append("\(type.name).\(field.name): \(violation)")
        }
      }
    }
    return found
  }

  private static func doubles<Name: Hashable & Comparable>(_ names: [Name]) -> [Name] {
    Set(names.filter { name in names.filter { $0 == name }.count > 1 }).sorted()
  }

  private static func isName(_ text: String, upper: Bool) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= 64 else { return false }
    let letters: ClosedRange<UInt8> = UInt8(ascii: "a")...UInt8(ascii: "z")
    let capitals: ClosedRange<UInt8> = UInt8(ascii: "A")...UInt8(ascii: "Z")
    let digits: ClosedRange<UInt8> = UInt8(ascii: "0")...UInt8(ascii: "9")
    return (letters ~= first || upper && capitals ~= first)
      && text.utf8.allSatisfy {
        letters ~= $0 || digits ~= $0 || $0 == UInt8(ascii: "-") || upper && capitals ~= $0
      }
  }

  // MARK: The hooks

  private func normalizeViolations(_ domain: any SyncDomain) -> [String] {
    drafts.compactMap { draft in
      do {
        var once = draft
        try domain.normalize(&once)
        var twice = once
        try domain.normalize(&twice)
        guard once.id == twice.id, once.fields == twice.fields else {
          return "Normalising \(draft.collection)/\(draft.id ?? "?") again changes it again."
        }
        return nil
      } catch {
        return "The draft \(draft.collection)/\(draft.id ?? "?") is refused: \(error)"
      }
    }
  }

  private func agreementViolations(_ domain: any SyncDomain) async throws -> [String] {
    let remote = InMemoryTransport()
    let clock = VirtualClock()
    var stores: [SyncStore] = []
    for index in 0..<2 {
      let store = try SyncStore(
        domain, storage: InMemoryStorage(), coding: DeflateSegmentCoding(),
        device: Device(id: "device-\(index)", name: "device \(index)"),
        environment: .seeded(SeededRandom(seed: UInt64(index) + 1), clock: clock))
      for draft in index == 0 ? drafts : drafts.reversed() where draft.parent == nil {
        clock.advance(by: 1)
        try store.write { try $0.save(draft) }
      }
      // What waits to be published would never meet.
      for type in domain.schema.collections where type.isOptIn && type.placement == .root {
        for record in try store.records(type.name) { try store.setScope(.synced, of: record.key) }
      }
      stores.append(store)
    }
    let engines = stores.map { store in
      SyncEngine(
        store: store, remotes: [Remote("memory", location: "memory:", transport: remote)])
    }
    for engine in engines + engines { try await engine.syncNow() }
    let digests = try stores.map { try $0.verify().map(\.digest) }
    var found: [String] = []
    if digests[0] != digests[1] {
      found.append("Two devices that wrote the same drafts in another order do not agree.")
    }
    for type in domain.schema.collections {
      let shown = try stores.map { store in
        try store.records(type.name).map { "\($0.key) \($0.fields.sorted { $0.key < $1.key })" }
      }
      if shown[0] != shown[1] { found.append("Two devices show other records of \(type.name).") }
      let wanted = drafts.filter { $0.collection == type.name && $0.parent == nil && $0.id != nil }
      if shown[0].isEmpty, !wanted.isEmpty {
        found.append("What was written to \(type.name) is not shown.")
      }
    }
    return found
  }

  private func exchangeViolations(_ domain: any SyncDomain) throws -> [String] {
    let store = try SyncStore(
      domain, storage: InMemoryStorage(), coding: DeflateSegmentCoding(),
      device: Device(id: "device", name: "device"), environment: .seeded(7))
    for draft in drafts where draft.parent == nil { try store.write { try $0.save(draft) } }
    var found: [String] = []
    for type in domain.schema.collections {
      let records = try store.records(type.name)
      for format in ["json", "csv"] where !records.isEmpty {
        guard
          let bytes = try (domain as? any ExportingDomain)?
            .exportRecords(records, format: format)
        else { continue }
        guard
          let back = try (domain as? any ImportingDomain)?.importRecords(bytes, format: format)
        else {
          found.append("The domain does not read the \(format) that it writes.")
          continue
        }
        if !back.faults.isEmpty {
          found.append("The domain finds faults in the \(format) that it writes.")
        }
        let ids = Set(back.rows.compactMap(\.draft.id))
        if ids != Set(records.map(\.key.id)) {
          found.append("The \(format) of \(type.name) brings back other records.")
        }
      }
    }
    return found
  }
}

import SegmentFormat
public import SyncKit

/// A program of another hand: it keeps to the formats and knows nothing of a domain's fields.
///
/// It writes any value into any register of a domain's records, as a careless or hostile client may,
/// and shows every register as it is.
public struct ForeignProgram: Sendable {
  /// Its store; every register that it has received is a field there.
  public let store: SyncStore
  private let engine: SyncEngine

  /// Begins a program that meets the domain's devices at a remote.
  ///
  /// - Parameters:
  ///   - schema: The domain, whose collections it takes over without their fields.
  ///   - registers: The registers that it may write.
  ///   - remote: Where it meets the others.
  ///   - clock: The time.
  /// - Throws: ``SyncError`` when there is no store for it.
  public init(
    _ schema: DomainSchema, registers: some Sequence<FieldName>, at remote: InMemoryTransport,
    clock: VirtualClock = VirtualClock()
  ) throws {
    let fields = Set(registers).sorted().map { Field($0, .any) }
    store = try SyncStore(
      Domain(
        schema: DomainSchema(
          schema.name,
          schema.collections.map { type in
            RecordType(
              type.name, placement: type.placement, deleteRule: type.deleteRule,
              parents: type.parents, isMovable: type.isMovable, fields: fields)
          })), storage: InMemoryStorage(), coding: DeflateSegmentCoding(),
      device: Device(id: "device-foreign", name: "foreign"),
      environment: .seeded(SeededRandom(seed: 4_711), clock: clock))
    engine = SyncEngine(
      store: store,
      remotes: [Remote("remote", location: "\(ObjectIdentifier(remote))", transport: remote)])
  }

  /// Writes registers of a record; makes the record when it is not there.
  public func write(_ key: RecordKey, _ registers: [FieldName: Value]) throws {
    try store.write { transaction in
      if let record = try transaction.record(key), !record.isDeleted {
        try transaction.edit(key, registers)
      } else {
        try transaction.save(RecordDraft(key.collection, id: key.id, fields: registers))
      }
    }
  }

  /// What each register of a record holds.
  public func registers(of key: RecordKey) throws -> [FieldName: Value] {
    try store.write { try $0.record(key) }.result?.fields ?? [:]
  }

  /// Meets the others once.
  public func sync() async throws { try await engine.syncNow() }

  private struct Domain: SyncDomain { let schema: DomainSchema }
}

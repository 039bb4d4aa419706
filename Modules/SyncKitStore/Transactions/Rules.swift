import SyncKitModel

/// The schema as the store asks it: how a record's state is read.
package struct Rules: Sendable {
  package let schema: DomainSchema
  /// Rebase policies that this device's configuration sets over the schema's, by field or group.
  package let rebase: [FieldName: RebasePolicy]
  /// What this device keeps to itself by its configuration; nil for nothing.
  package let egress: EgressRules?
  package let indexes: RecordIndexes
  private let collections: [CollectionName: RecordRules]

  package init(
    _ schema: DomainSchema, rebase: [FieldName: RebasePolicy] = [:], egress: EgressRules? = nil
  ) {
    self.schema = schema
    self.rebase = rebase
    self.egress = egress
    indexes = RecordIndexes(schema)
    collections = Dictionary(
      schema.collections.map { ($0.name, RecordRules($0, rebase, isOptIn: schema.isOptIn($0))) },
      uniquingKeysWith: { first, _ in first })
  }

  package subscript(collection: CollectionName) -> RecordType? { collections[collection]?.type }

  package func version(_ collection: CollectionName) -> Int {
    collections[collection]?.type.version ?? 1
  }

  /// Whether an own write to a record of this type may be overridden, or win.
  func hasRebase(_ collection: CollectionName) -> Bool {
    collections[collection]?.hasRebase ?? false
  }

  /// Whether a record of a type lives in a tree that stays here until a person publishes it.
  package func isOptIn(_ collection: CollectionName) -> Bool {
    collections[collection]?.isOptIn ?? false
  }

  /// Where records of this type live.
  package func placement(_ collection: CollectionName) -> RecordType.Placement? {
    collections[collection]?.type.placement
  }

  /// Whether a collection belongs to the engine itself and is not shown.
  static func isSystem(_ collection: CollectionName) -> Bool { collection.text.utf8.first == 0x5F }

  func rebasePolicy(_ collection: CollectionName, _ register: FieldName) -> RebasePolicy {
    guard let field = collections[collection]?.type.owner(of: register) else { return .merge }
    return rebase[field.name] ?? field.rebase
  }

  package func policy(_ collection: CollectionName, _ register: FieldName) -> any ConflictPolicy {
    let type = collections[collection]?.type
    if register == .parent, type?.isMovable != true { return ImmutablePolicy() }
    guard let type, let index = type.ownerIndex(of: register) else { return NewestPolicy() }
    return type.fields[index].policy
  }

  package func isVisible(_ state: RecordState, in collection: CollectionName) -> Bool {
    let rule = collections[collection]?.type.deleteRule ?? .editWins
    return rule.shown(state.alive)?.kind.isVisible ?? false
  }

  /// The registers of a visible record whose concurrent values are to be listed.
  package func conflicted(_ state: RecordState, in collection: CollectionName) -> [FieldName] {
    guard state.registers.contains(where: \.isConflicted), !Self.isSystem(collection),
      isVisible(state, in: collection)
    else { return [] }
    let type = collections[collection]?.type
    return state.registers.map(\.name).filter { name in
      guard let register = state.current(name), register.isConflicted else { return false }
      guard let type, let index = type.ownerIndex(of: name) else {
        // Two values of something hidden need no decision.
        return type?.place(of: name) == nil
      }
      guard type.fields[index].type != .set, !(type.fields[index].policy is ExtremePolicy) else {
        return false
      }
      return Register(name: name, siblings: fitting(register, in: collection)).isConflicted
    }
  }

  /// The changes of which a record shows nothing, because other values come before all that they wrote: their
  /// authors did not write what shows last.
  func hiddenDots(of state: RecordState, in collection: CollectionName) -> Set<Dot> {
    // Most records have no concurrent values.
    guard
      state.registers.contains(where: {
        $0.siblings.count > 1 || $0.siblings.first?.isDiscarded == true
      })
    else { return [] }
    var hidden: Set<Dot> = []
    var visible: Set<Dot> = []
    for register in state.registers {
      let current = state.current(register.name)
      let best = current.map { candidates($0, in: collection) } ?? []
      let shown = shown(register.name, of: state, in: collection)
      let winners = best.filter { $0.value == shown }
      visible.formUnion((winners.isEmpty ? best : winners).map(\.dot))
      hidden.formUnion(register.siblings.map(\.dot))
    }
    return hidden.subtracting(visible)
  }

  /// The value that a register of a record shows; null for none.
  package func shown(
    _ name: FieldName, of state: RecordState, in collection: CollectionName
  ) -> Value {
    shown(state.current(name), in: collection)
  }

  /// One value for a register of a record, to be written or reported.
  package func single(
    _ name: FieldName, of state: RecordState, in collection: CollectionName
  ) -> Value {
    single(state.current(name), in: collection)
  }

  /// The value that a register shows that has no discarded values, or nothing else; null for none.
  package func shown(_ register: Register?, in collection: CollectionName) -> Value {
    guard let register, let first = register.siblings.first else { return .null }
    if register.siblings.count == 1 { return first.value }
    return policy(collection, register.name).shown(candidates(register, in: collection))
  }

  /// The values of a register that may show, without discarded ones: among those that its field can have, or
  /// among all if there are none, the ones that are not overridden.
  package func candidates(_ register: Register, in collection: CollectionName) -> [Sibling] {
    let fitting = fitting(register, in: collection)
    guard !fitting.isEmpty else { return register.candidates }
    return Register(name: register.name, siblings: fitting).candidates
  }

  /// The values of a register that its field can have.
  ///
  /// Another program may have written a value of another type. It is kept, but it is not a value of the
  /// field: it neither shows nor wins beside one that is.
  package func fitting(_ register: Register, in collection: CollectionName) -> [Sibling] {
    guard let type = collections[collection]?.type, let index = type.index(named: register.name),
      type.fields[index].type != .set
    else { return register.siblings }
    return register.siblings.filter { type.fields[index].accepts($0.value) }
  }

  /// One value for such a register: of values that are all shown no text is lost.
  package func single(_ register: Register?, in collection: CollectionName) -> Value {
    let shown = shown(register, in: collection)
    guard let register else { return shown }
    guard register.isConflicted, policy(collection, register.name) is KeepBothPolicy,
      case .list(let values) = shown
    else { return single(shown, of: register.name, in: collection) }
    return KeepBothPolicy.single(values)
  }

  /// One value for what a register showed; former versions wrote down all that was shown.
  package func single(
    _ shown: Value, of register: FieldName, in collection: CollectionName
  ) -> Value {
    guard case .list(let values) = shown, policy(collection, register) is KeepBothPolicy,
      collections[collection]?.type.owner(of: register)?.accepts(shown) == false
    else { return shown }
    return KeepBothPolicy.single(values)
  }
}

/// A record type with what is asked of it for every operation; an object, since a copy of a type takes
/// longer than the answer.
private final class RecordRules: Sendable {
  let type: RecordType
  let hasRebase: Bool
  let isOptIn: Bool

  init(_ type: RecordType, _ rebase: [FieldName: RebasePolicy], isOptIn: Bool) {
    self.type = type
    self.isOptIn = isOptIn
    hasRebase = type.fields.contains { (rebase[$0.name] ?? $0.rebase) != .merge }
  }
}

extension RecordOperation {
  /// Whether a person would count it: not what the engine writes for itself.
  var isOfDomain: Bool { !Rules.isSystem(collection) && kind != .forget }
}

extension FieldName {
  /// The register that holds a record's parent, as `collection/id`.
  package static let parent: FieldName = "_parent"
}

extension Rules {
  /// The parent of a record, by what its parent register shows.
  package func parent(of state: RecordState, _ key: RecordKey) -> RecordKey? {
    guard case .string(let text) = shown(.parent, of: state, in: key.collection) else { return nil }
    return RecordKey(parent: text, in: key.zone)
  }
}

extension RecordKey {
  /// Reads what a parent register holds; nil when it names no record.
  package init?(parent text: String, in zone: ZoneID) {
    guard let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    self.init(
      zone: zone, collection: CollectionName(String(text[..<slash])),
      id: RecordID(String(text[text.utf8.index(after: slash)...])))
  }
}

extension DomainSchema {
  /// Whether a record of a type lives in a tree that stays here until a person publishes it.
  fileprivate func isOptIn(_ type: RecordType) -> Bool {
    var visited: Set<CollectionName> = []
    var next = [type]
    while let type = next.popLast() {
      if type.isOptIn { return true }
      guard type.placement == .parent, visited.insert(type.name).inserted else { continue }
      next += type.parents.compactMap { self[$0] }
    }
    return false
  }
}

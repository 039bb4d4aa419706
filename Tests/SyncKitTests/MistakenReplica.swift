import SyncKitTesting

@testable import SyncKitEngine
@testable import SyncKitModel
@testable import SyncKitStore

/// A replica that makes one mistake, to prove that the contract would see it.
struct MistakenReplica: MergingReplica {
  enum Mistake: CaseIterable {
    case touchCountsAsEdit, editCountsAsCreation, createIsAnEdit, restoreIsAnEdit
    case eraseIsADeletion, deletionTakesContent, lateValuesOutliveAnErasure
    case sourceTimeIsIgnored, firstOperationCounts
    case yieldingIsIgnored, yieldingCoversNothing, deletionMarksNothing, deletionMarksAll
    case removalWritesNull, removalIsIgnored, creationLeavesNulls
    case contextGrowsOnArrival, contextIsForgotten, ownSeriesIsUnseen
    case newestIsChosenOnMerge, stampDecidesAmongSuccessors, equalValuesCollapse
    case namesCompareByEquivalence, lastDeliveryStandsLast
    case joinKeepsAll, joinKeepsOnlyCommon, joinTakesTheLonger, joinForgetsErasures
    case joinForgetsItsVector, joinChoosesOneAliveValue, joinForgetsMarks
  }

  let mistake: Mistake
  var replica = StateReplica()

  var records: [RecordKey: RecordState] { replica.records }

  mutating func apply(_ change: Change, at dot: Dot) {
    var change = change
    switch mistake {
    case .touchCountsAsEdit: change.replaceKinds([.touch: .edit])
    case .editCountsAsCreation: change.replaceKinds([.edit: .create])
    case .createIsAnEdit: change.replaceKinds([.create: .edit])
    case .restoreIsAnEdit: change.replaceKinds([.restore: .edit])
    case .eraseIsADeletion: change.replaceKinds([.erase: .delete])
    case .sourceTimeIsIgnored: change.mapOperations { $0.stamp = nil }
    case .firstOperationCounts: change.operations.reverse()
    case .yieldingIsIgnored: change.mapWrites { $0.isOverridden = false }
    case .removalWritesNull: change.mapWrites { $0.value = $0.value ?? .null }
    case .removalIsIgnored: change.mapOperations { $0.writes.removeAll { $0.value == nil } }
    case .creationLeavesNulls:
      change.operations = change.operations.flatMap { operation in
        let nulls = operation.writes.filter { $0.value?.isNull ?? false }
        guard operation.kind == .create else { return [operation] }
        return [operation, RecordOperation(.edit, operation.collection, operation.id, nulls)]
      }
    case .contextGrowsOnArrival: change.context.formUnion(replica.vector)
    case .contextIsForgotten: change.context = VersionVector()
    case .namesCompareByEquivalence:
      change.mapWrites { if $0.name.text == "\u{E9}" { $0.name = "\u{E9}" } }
    default: break
    }
    let before = replica.records
    replica.apply(change, at: dot)
    for (key, state) in replica.records {
      replica.records[key] = amended(state, after: before[key] ?? RecordState(), change, dot)
    }
  }

  /// The mistakes that show only in what a change leaves behind.
  private func amended(
    _ state: RecordState, after before: RecordState, _ change: Change, _ dot: Dot
  ) -> RecordState {
    var state = state
    switch mistake {
    case .deletionTakesContent:
      if state.alive.contains(where: { $0.dot == dot && $0.kind == .deleted }) {
        state.registers = []
      }
    case .lateValuesOutliveAnErasure: state.erasures = []
    case .ownSeriesIsUnseen:
      let kept = before.alive.filter { $0.dot.replica == dot.replica && $0.dot != dot }
      state.alive = Set(state.alive).union(kept).sorted { $0.dot < $1.dot }
    case .newestIsChosenOnMerge:
      state.mapRegisters { $0 = Array($0.sorted(by: Sibling.newer).prefix(1)) }
    case .stampDecidesAmongSuccessors:
      // Last writer wins: a value with a greater stamp stays, whichever device has seen it.
      for register in before.registers {
        guard let old = register.siblings.min(by: Sibling.newer) else { continue }
        state.mapRegister(register.name) { siblings in
          if siblings.contains(where: { $0.dot == dot && $0.stamp < old.stamp }) {
            siblings = [old]
          }
        }
      }
    case .yieldingCoversNothing:
      for register in before.registers {
        state.mapRegister(register.name) { siblings in
          guard siblings.contains(where: { $0.dot == dot && $0.isOverridden }) else { return }
          siblings = (siblings + register.siblings).reduce(into: []) { kept, sibling in
            if !kept.contains(where: { $0.dot == sibling.dot }) { kept.append(sibling) }
          }.sorted { $0.dot < $1.dot }
        }
      }
    case .deletionMarksNothing: state.mapRegisters { $0.mapMarks { $0.remove(.discarded) } }
    case .deletionMarksAll:
      if state.alive.contains(where: { $0.kind == .deleted }) {
        state.mapRegisters { $0.mapMarks { $0.insert(.discarded) } }
      }
    case .equalValuesCollapse:
      state.mapRegisters { siblings in
        var seen: Set<Value> = []
        siblings = siblings.filter { seen.insert($0.value).inserted }
      }
    case .lastDeliveryStandsLast:
      let known = Set(before.alive.map(\.dot))
      let (old, new) = (
        state.alive.filter { known.contains($0.dot) },
        state.alive.filter { !known.contains($0.dot) }
      )
      state.alive = old + new
    default: break
    }
    return state
  }

  mutating func join(_ other: MistakenReplica) {
    let mine = replica
    let theirs = other.replica
    replica.join(theirs)
    switch mistake {
    case .joinKeepsAll:
      mapStates { key, state in
        state.alive = Set(mine.records[key]?.alive ?? []).union(theirs.records[key]?.alive ?? [])
          .sorted { $0.dot < $1.dot }
      }
    case .joinKeepsOnlyCommon:
      mapStates { key, state in
        let common = Set(mine.records[key]?.alive ?? []).intersection(
          theirs.records[key]?.alive ?? [])
        if !common.isEmpty { state.alive = common.sorted { $0.dot < $1.dot } }
      }
    case .joinTakesTheLonger:
      let isLonger = theirs.records.count > mine.records.count
      replica.records = isLonger ? theirs.records : mine.records
    case .joinForgetsErasures:
      mapStates { key, state in state.erasures = mine.records[key]?.erasures ?? [] }
    case .joinForgetsItsVector:
      for (key, state) in theirs.records {
        replica.records[key] = (mine.records[key] ?? RecordState()).joined(
          VersionVector(), with: state, theirs.vector)
      }
    case .joinChoosesOneAliveValue:
      mapStates { _, state in
        state.alive = DeleteRule.editWins.shown(state.alive).map { [$0] } ?? []
      }
    case .joinForgetsMarks:
      mapStates { key, state in
        for register in mine.records[key]?.registers ?? [] {
          state.mapRegister(register.name) { siblings in
            for index in siblings.indices {
              let own = register.siblings.first { $0.dot == siblings[index].dot }
              siblings[index].marks = own?.marks ?? siblings[index].marks
            }
          }
        }
      }
    default: break
    }
  }

  private mutating func mapStates(_ body: (RecordKey, inout RecordState) -> Void) {
    for (key, state) in replica.records {
      var state = state
      body(key, &state)
      replica.records[key] = state
    }
  }
}

extension Change {
  fileprivate mutating func mapOperations(_ body: (inout RecordOperation) -> Void) {
    for index in operations.indices { body(&operations[index]) }
  }

  fileprivate mutating func mapWrites(_ body: (inout FieldWrite) -> Void) {
    mapOperations { operation in
      for index in operation.writes.indices { body(&operation.writes[index]) }
    }
  }

  fileprivate mutating func replaceKinds(_ kinds: [OperationKind: OperationKind]) {
    mapOperations { $0.kind = kinds[$0.kind] ?? $0.kind }
  }
}

extension [Sibling] {
  fileprivate mutating func mapMarks(_ body: (inout ValueMarks) -> Void) {
    for index in indices { body(&self[index].marks) }
  }
}

extension RecordState {
  fileprivate mutating func mapRegisters(_ body: (inout [Sibling]) -> Void) {
    for index in registers.indices { body(&registers[index].siblings) }
    registers.removeAll { $0.siblings.isEmpty }
  }

  fileprivate mutating func mapRegister(_ name: FieldName, _ body: (inout [Sibling]) -> Void) {
    for index in registers.indices where registers[index].name == name {
      body(&registers[index].siblings)
    }
  }
}

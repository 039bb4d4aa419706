/// What the author of a write had seen; decides which values the write replaces.
package struct WriteContext {
  /// The change itself.
  package let dot: Dot
  /// Everything applied before, without the author's own series.
  package let seen: VersionVector

  package init(dot: Dot, seen: VersionVector) {
    self.dot = dot
    self.seen = seen
  }

  /// Whether the author had seen the change with this dot; its own earlier changes always.
  package func covers(_ other: Dot) -> Bool {
    other.replica == dot.replica ? other.seq < dot.seq : seen.covers(other)
  }
}

extension RecordState {
  /// Applies one operation: drops what its author had seen, then adds what it writes.
  ///
  /// Operations apply in causal order. Concurrent ones commute; the same one applied twice must be
  /// kept out by the caller's vector.
  package mutating func apply(_ operation: RecordOperation, stamp: Stamp, in context: WriteContext)
  {
    let stamp = operation.stamp.map { Stamp(time: $0, replica: stamp.replica) } ?? stamp
    guard let alive = operation.kind.alive else { return forget(in: context) }
    applyAlive(alive, stamp: stamp, in: context)
    var writesWhole = false
    switch operation.kind {
    case .create, .restore:
      writesWhole = true
      coverAll(in: context)
    case .erase:
      registers.removeAll()
      if !erasures.contains(context.dot) {
        erasures.append(context.dot)
        erasures.sort()
      }
      return
    case .delete: discardSeen(in: context)
    case .edit, .touch, .forget: break
    }
    if registers.isEmpty { registers.reserveCapacity(operation.writes.count) }
    let isErased = erasures.contains { !context.covers($0) && $0 != context.dot }
    for write in operation.writes {
      // In a record written whole, unset is no statement: any concurrent value beats it, so it must
      // not stand beside one.
      let isUnset = writesWhole && write.value?.isNull ?? false
      apply(write, stamp: stamp, in: context, keepingValue: !isErased && !isUnset)
    }
  }

  private mutating func applyAlive(_ kind: AliveKind, stamp: Stamp, in context: WriteContext) {
    alive.removeAll { sibling in
      sibling.dot == context.dot
        ? kind.covers(sibling.kind)
        : context.covers(sibling.dot) && kind.covers(sibling.kind)
    }
    if alive.contains(where: { $0.dot == context.dot }) {
      // The same change said something stronger about this record before.
      return
    }
    let index = alive.firstIndex { context.dot < $0.dot } ?? alive.count
    alive.insert(AliveSibling(dot: context.dot, stamp: stamp, kind: kind), at: index)
  }

  /// Drops all that was seen.
  ///
  /// An erasure is kept: what has not seen it must lose its values later too.
  private mutating func forget(in context: WriteContext) {
    alive.removeAll { $0.dot == context.dot || context.covers($0.dot) }
    coverAll(in: context)
  }

  /// Marks the values that a deletion throws away; what its author had not seen stands before them.
  private mutating func discardSeen(in context: WriteContext) {
    for index in registers.indices {
      for place in registers[index].siblings.indices {
        let dot = registers[index].siblings[place].dot
        if dot == context.dot || context.covers(dot) {
          registers[index].siblings[place].marks.insert(.discarded)
        }
      }
    }
  }

  private mutating func coverAll(in context: WriteContext) {
    for index in registers.indices {
      registers[index].siblings.removeAll { $0.dot == context.dot || context.covers($0.dot) }
    }
    registers.removeAll { $0.siblings.isEmpty }
  }

  private mutating func apply(
    _ write: FieldWrite, stamp: Stamp, in context: WriteContext, keepingValue: Bool
  ) {
    let index = insertionIndex(of: write.name)
    let exists = index < registers.count && registers[index].name == write.name
    if exists {
      registers[index].siblings.removeAll { $0.dot == context.dot || context.covers($0.dot) }
    }
    if let value = write.value, keepingValue {
      let sibling = Sibling(
        dot: context.dot, stamp: stamp, value: value, marks: write.isOverridden ? .overridden : [])
      if exists {
        registers[index].insert(sibling)
      } else {
        let register = Register(name: write.name, siblings: [sibling])
        // Much sooner than an insertion, which asks first what has to move.
        if index == registers.count {
          registers.append(register)
        } else {
          registers.insert(register, at: index)
        }
      }
    } else if exists, registers[index].siblings.isEmpty {
      registers.remove(at: index)
    }
  }
}

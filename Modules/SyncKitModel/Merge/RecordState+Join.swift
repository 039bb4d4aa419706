extension RecordState {
  /// The least state that contains both: the state of a replica that has seen everything that either has.
  ///
  /// A value is kept if both sides hold it, or if the other side has never seen it; otherwise the other side
  /// has seen and replaced it. A mark on either side is kept. Commutative, associative, idempotent.
  ///
  /// - Parameters:
  ///   - vector: What this state's holder has applied.
  ///   - other: The state of the same record on the other side.
  ///   - otherVector: What its holder has applied.
  /// - Returns: The joined state; its holder has applied the union of both vectors.
  package func joined(
    _ vector: VersionVector, with other: RecordState, _ otherVector: VersionVector
  ) -> RecordState {
    var result = RecordState()
    result.erasures = Set(erasures).union(other.erasures).sorted()
    result.alive = Self.join(alive, vector, other.alive, otherVector, dot: \.dot) { here, _ in here
    }
    let lostHere = other.erasures.contains { !vector.covers($0) }
    let lostThere = erasures.contains { !otherVector.covers($0) }
    for name in Set(registers.map(\.name)).union(other.registers.map(\.name)).sorted() {
      let here = self[name]?.siblings ?? []
      let there = other[name]?.siblings ?? []
      let both = Set(here.map(\.dot)).intersection(there.map(\.dot))
      let kept = Self.join(
        here.filter { both.contains($0.dot) || !lostHere }, vector,
        there.filter { both.contains($0.dot) || !lostThere }, otherVector, dot: \.dot
      ) { here, there in
        var sibling = here
        sibling.marks.formUnion(there.marks)
        return sibling
      }
      if !kept.isEmpty { result.registers.append(Register(name: name, siblings: kept)) }
    }
    return result
  }

  private static func join<S>(
    _ here: [S], _ hereVector: VersionVector, _ there: [S], _ thereVector: VersionVector,
    dot: (S) -> Dot, united: (S, S) -> S
  ) -> [S] {
    var kept: [S] = []
    for mine in here {
      if let theirs = there.first(where: { dot($0) == dot(mine) }) {
        kept.append(united(mine, theirs))
      } else if !thereVector.covers(dot(mine)) {
        kept.append(mine)
      }
    }
    kept += there.filter { theirs in
      !hereVector.covers(dot(theirs)) && !here.contains { dot($0) == dot(theirs) }
    }
    return kept.sorted { dot($0) < dot($1) }
  }
}

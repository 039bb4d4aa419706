/// Names a record within a domain.
public struct RecordKey: Hashable, Comparable, Sendable {
  /// The zone it lives in, for ever.
  public var zone: ZoneID
  /// Its type.
  public var collection: CollectionName
  /// Its id: derived from a natural key where there is one, else a UUID.
  public var id: RecordID

  /// Names a record.
  public init(zone: ZoneID = .home, collection: CollectionName, id: RecordID) {
    self.zone = zone
    self.collection = collection
    self.id = id
  }

  public static func == (left: RecordKey, right: RecordKey) -> Bool {
    // What differs most often comes first.
    left.id == right.id && left.collection == right.collection && left.zone == right.zone
  }

  /// Whether both records are of one type in one zone.
  package func isBeside(_ other: RecordKey) -> Bool {
    collection == other.collection && zone == other.zone
  }

  /// Without its type: ids are unique within a tree, and what shares one there are a few types at most.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(zone)
    hasher.combine(id)
  }

  public static func < (left: RecordKey, right: RecordKey) -> Bool {
    if left.zone != right.zone { return left.zone < right.zone }
    return left.collection != right.collection
      ? left.collection < right.collection : left.id < right.id
  }
}

extension RecordKey: CustomStringConvertible {
  public var description: String { "\(collection)/\(id)" }
}

/// All that is known of a record: every concurrent value of its alive register and its fields.
///
/// Merging only ever keeps or drops siblings; which value is *shown* is decided on read. A merged
/// single value would depend on the order of merging, the set does not.
package struct RecordState: Hashable, Sendable {
  /// The concurrent alive values, in the order of their dots.
  package var alive: [AliveSibling] = []
  /// The registers that hold a value, in the order of their names.
  package var registers: [Register] = []
  /// The dots of all erasures, kept also when covered: what has not seen them loses its values.
  package var erasures: [Dot] = []

  /// Makes the state of a record without any write.
  package init() {}

  /// Whether nothing at all is known.
  package var isEmpty: Bool { alive.isEmpty && registers.isEmpty && erasures.isEmpty }

  /// The register with this name, nil when it holds no value.
  package subscript(name: FieldName) -> Register? {
    let index = insertionIndex(of: name)
    return index < registers.count && registers[index].name == name ? registers[index] : nil
  }

  /// The register without the values that were discarded with the record; nil when that leaves none.
  ///
  /// A value that a deletion had seen counts only where nothing else stands in its register, since the record
  /// may live on through an edit that has not seen the deletion. A record that was created while another
  /// device deleted it states all its fields, so such a value never counts there.
  package func current(_ name: FieldName) -> Register? {
    let index = insertionIndex(of: name)
    guard index < registers.count, registers[index].name == name else { return nil }
    return current(at: index)
  }

  /// The same for the register at an index of ``registers``.
  package func current(at index: Int) -> Register? {
    let register = registers[index]
    guard register.siblings.contains(where: \.isDiscarded) else { return register }
    let kept = register.siblings.filter { !$0.isDiscarded }
    if kept.isEmpty, alive.contains(where: { $0.kind == .created }) { return nil }
    return kept.isEmpty ? register : Register(name: register.name, siblings: kept)
  }

  package func insertionIndex(of name: FieldName) -> Int {
    // Most often a record is written in the order of its names.
    guard let last = registers.last, !(last.name < name) else { return registers.count }
    var low = 0
    var high = registers.count
    while low < high {
      let middle = (low + high) / 2
      if registers[middle].name < name { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Numbers the names and replicas of one store, so that rows hold small integers in their place.
///
/// Numbers are local to a store and never leave it. They only ever grow; a transaction that is
/// rolled back must drop its copy of the table.
package struct SymbolTable: Sendable {
  package private(set) var replicas: [ReplicaID] = []
  private var table = NameTable()
  private var replicaNumbers: [ReplicaID: Int] = [:]

  package init() {}

  package var names: [Name] { table.names }

  package mutating func number(_ name: Name) -> Int { table.number(name) }

  package mutating func number(_ replica: ReplicaID) -> Int {
    if let number = replicaNumbers[replica] { return number }
    replicas.append(replica)
    replicaNumbers[replica] = replicas.count - 1
    return replicas.count - 1
  }
}

/// Numbers the names and replicas of one store, so that rows hold small integers in their place.
///
/// Numbers are local to a store and never leave it. They only ever grow; a transaction that is
/// rolled back must drop its copy of the table.
struct SymbolTable: Sendable {
  private(set) var replicas: [ReplicaID] = []
  private var table = NameTable()
  private var replicaNumbers: [ReplicaID: Int] = [:]

  var names: [Name] { table.names }

  mutating func number(_ name: Name) -> Int { table.number(name) }

  mutating func number(_ replica: ReplicaID) -> Int {
    if let number = replicaNumbers[replica] { return number }
    replicas.append(replica)
    replicaNumbers[replica] = replicas.count - 1
    return replicas.count - 1
  }
}

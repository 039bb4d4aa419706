import CommandFoundation
import SyncKit
import Synchronization

/// The witness of a store under construction, kept until the store has its name.
final class NewWitness: ContinuityWitness {
  private let known = Mutex<Witness?>(nil)

  var made: Witness? { known.withLock { $0 } }

  func load() throws -> Witness? { made }
  func save(_ witness: Witness) throws { known.withLock { $0 = witness } }
}

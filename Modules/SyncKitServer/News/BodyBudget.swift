import SyncWire
import Synchronization

/// How many bytes of bodies a server holds at once: of requests that are coming, and of answers that
/// are being taken.
///
/// - **As they come.** What a request announces takes nothing; what has come counts until it is stored.
/// - **Apart.** No caller gets all of it, so that some large bodies of one do not keep out the others.
/// - **Honest.** A caller that finds no room is told when to try again, and gives back what it has held.
public final class BodyBudget: Sendable {
  private struct State {
    var total = 0
    var byOwner: [String: Int] = [:]
  }

  private let total: Int
  private let each: Int
  private let state = Mutex(State())

  /// Bears a number of bytes in all, and a number for each caller.
  ///
  /// By default three of the largest bodies that there may be, and one for each.
  public init(total: Int = 256 << 20, each: Int = 96 << 20) {
    self.total = total
    self.each = each
  }

  /// How many bytes are held now.
  var held: Int { state.withLock { $0.total } }

  /// Begins to hold bytes for a caller.
  func hold(for owner: String) -> Holding { Holding(self, owner) }

  fileprivate func take(_ count: Int, _ owner: String) throws(WireError) {
    let isThere = state.withLock { state in
      let mine = state.byOwner[owner, default: 0]
      guard state.total + count <= total, mine + count <= each else { return false }
      state.total += count
      state.byOwner[owner] = mine + count
      return true
    }
    guard isThere else {
      throw WireError(
        .unavailable, "The server is busy at the moment; try again.", retryAfter: 2)
    }
  }

  fileprivate func give(_ count: Int, _ owner: String) {
    state.withLock { state in
      state.total -= count
      let mine = state.byOwner[owner, default: 0] - count
      state.byOwner[owner] = mine > 0 ? mine : nil
    }
  }
}

/// The bytes that one request holds; given back at its end.
final class Holding: Sendable {
  private let budget: BodyBudget
  private let owner: String
  private let count = Mutex(0)

  fileprivate init(_ budget: BodyBudget, _ owner: String) {
    self.budget = budget
    self.owner = owner
  }

  /// Holds more.
  ///
  /// - Throws: ``WireError`` `unavailable` with the seconds to wait.
  func add(_ more: Int) throws(WireError) {
    try budget.take(more, owner)
    count.withLock { $0 += more }
  }

  deinit { budget.give(count.withLock { $0 }, owner) }
}

import SyncKit
import Synchronization

/// Fetches ahead what will be asked for next, so that many segments cost few journeys to the server.
///
/// At most ``width`` segments or ``room`` bytes and one more segment are under way or wait for being asked for.
final class SFTPInbox: Sendable {
  /// How many segments are fetched at once.
  static let width = 16
  /// How many bytes are fetched ahead.
  static let room = 8 << 20

  private typealias Coming = Task<Segment?, any Error>

  private struct State {
    var expected: ArraySlice<SegmentReference> = []
    var coming: [SegmentReference: Coming] = [:]
    var bytes = 0

    /// Forgets what has come; what is under way ends early.
    mutating func clear() {
      for task in coming.values { task.cancel() }
      (coming, bytes) = ([:], 0)
    }
  }

  private let state = Mutex(State())

  deinit { state.withLock { $0.clear() } }

  /// Forgets what was expected for what is expected now.
  func expect(_ references: [SegmentReference]) {
    state.withLock { state in
      state.clear()
      state.expected = references[...]
    }
  }

  /// A segment that has come or comes; one that was not expected is fetched alone.
  func segment(
    _ reference: SegmentReference,
    fetch: @escaping @Sendable (SegmentReference) async throws -> Segment?
  ) async throws -> Segment? {
    let coming = state.withLock { state -> Coming? in
      if state.coming[reference] == nil {
        guard let index = state.expected.firstIndex(of: reference) else { return nil }
        // Those before it are not asked for after all.
        state.clear()
        state.expected = state.expected[index...]
      }
      while state.coming.count < Self.width, state.bytes < Self.room || state.coming.isEmpty,
        let next = state.expected.popFirst()
      {
        state.bytes += next.size ?? 0
        state.coming[next] = Task { try await fetch(next) }
      }
      state.bytes -= reference.size ?? 0
      return state.coming.removeValue(forKey: reference)
    }
    guard let coming else { return try await fetch(reference) }
    return try await withTaskCancellationHandler {
      try await coming.value
    } onCancel: {
      coming.cancel()
    }
  }
}

/// The inboxes of the domains that share a transport.
final class SFTPInboxes: Sendable {
  private let inboxes = Mutex<[String: SFTPInbox]>([:])

  /// That of a domain.
  func inbox(of domain: String) -> SFTPInbox {
    inboxes.withLock { inboxes in
      if let known = inboxes[domain] { return known }
      let inbox = SFTPInbox()
      inboxes[domain] = inbox
      return inbox
    }
  }
}

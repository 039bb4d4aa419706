import SyncKit
import Synchronization

/// The files that are open over one connection.
///
/// Some servers let one file be open at a time and refuse the second with "permission denied". An opening that is
/// refused while others are open is tried once more alone; if that succeeds, all files of the connection are opened one
/// after another from then on.
final class OpenFiles: Sendable {
  private struct State {
    var count = 0
    /// How many have been opened or tried to be.
    var number = 0
    var isOneByOne = false
    /// Whether the one that is open wants to be the only one.
    var isAlone = false
    /// How many wait to be the only one; none is opened before them.
    var wishes = 0
    var waiting: [SFTPTicket] = []
  }

  private let state = Mutex(State())

  /// Opens a file.
  ///
  /// - Returns: The file, or why there is none.
  /// - Throws: ``SFTPEnd``, `CancellationError`.
  func open(
    _ path: String, _ opening: SFTPOpening, over connection: SFTPConnection
  ) async throws -> Result<SFTPFile, SFTPStatus> {
    let (number, isFirst) = try await enter(alone: false)
    let first = try await request(path, opening, over: connection)
    guard case .failure(let status) = first,
      [SFTPStatus.permissionDenied, SFTPStatus.failure].contains(status.code),
      !isFirst || state.withLock({ $0.number != number })
    else { return first }
    _ = try await enter(alone: true)
    let second = try await request(path, opening, over: connection)
    if case .success = second { state.withLock { $0.isOneByOne = true } }
    return second
  }

  private func request(
    _ path: String, _ opening: SFTPOpening, over connection: SFTPConnection
  ) async throws -> Result<SFTPFile, SFTPStatus> {
    do {
      let result = try await connection.send(.open(path, opening)).handle()
      if case .failure = result { leave() }
      return result.map { SFTPFile($0, connection, self) }
    } catch {
      leave()
      throw error
    }
  }

  /// Waits until a file may be opened.
  ///
  /// - Returns: Which one it is, and whether no other one is open.
  private func enter(alone: Bool) async throws -> (number: Int, isFirst: Bool) {
    if alone { state.withLock { $0.wishes += 1 } }
    defer {
      if alone {
        state.withLock { $0.wishes -= 1 }
        wake()
      }
    }
    while true {
      let ticket = SFTPTicket()
      let entered = state.withLock { state -> (number: Int, isFirst: Bool)? in
        let alone = alone || state.isOneByOne
        guard alone ? state.count == 0 : !state.isAlone && state.wishes == 0 else {
          state.waiting.append(ticket)
          return nil
        }
        state.count += 1
        state.number += 1
        state.isAlone = alone
        return (state.number, state.count == 1)
      }
      if let entered { return entered }
      _ = try await ticket.answer()
    }
  }

  /// Notes that a file is closed, or was not opened.
  fileprivate func leave() {
    state.withLock { state in
      state.count -= 1
      state.isAlone = false
    }
    wake()
  }

  /// Lets all that wait look again.
  private func wake() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for ticket in waiting {
      ticket.settle(.success(.status(SFTPStatus(SFTPStatus.done))))
    }
  }
}

extension SFTPConnection {
  /// Opens a file as soon as the server lets one more be open.
  ///
  /// - Returns: The file, which the caller has to close, or why there is none.
  /// - Throws: ``SFTPEnd``, `CancellationError`.
  func open(
    _ path: String, _ opening: SFTPOpening
  ) async throws -> Result<SFTPFile, SFTPStatus> {
    try await files.open(path, opening, over: self)
  }
}

/// An open file of a server.
final class SFTPFile: Sendable {
  /// What the server calls it.
  let handle: [UInt8]
  private let connection: SFTPConnection
  private let files: OpenFiles
  private let isOpen = Mutex(true)

  fileprivate init(_ handle: [UInt8], _ connection: SFTPConnection, _ files: OpenFiles) {
    (self.handle, self.connection, self.files) = (handle, connection, files)
  }

  /// Closes it, once.
  ///
  /// - Returns: The request that does; nil when it was closed before.
  @discardableResult func close() -> SFTPTicket? {
    guard
      isOpen.withLock({ isOpen in
        defer { isOpen = false }
        return isOpen
      })
    else { return nil }
    // Requests are answered in turn, so that the next file is opened after this one is closed.
    let ticket = connection.send(.close(handle))
    files.leave()
    return ticket
  }
}

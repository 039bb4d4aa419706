import SyncKit
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A connection that speaks SFTP through a client of SSH, for any number of callers at once.
///
/// A thread of its own carries the bytes, so that nothing here waits on a thread of the pool. It ends with the
/// connection: when it is closed, when the client ends, when the server breaks the protocol or leaves a request
/// without an answer for too long.
final class SFTPConnection: Sendable {
  private struct State {
    var outgoing: [[UInt8]] = []
    var awaited: [UInt32: (ticket: SFTPTicket, kind: SFTPAnswer.Kind)] = [:]
    var nextID: UInt32 = 0
    /// When the server was last heard, or the first of the awaited requests was sent.
    var heard = ContinuousClock.now
    /// The writing end of the pipe that wakes the thread; -1 when the thread does not run.
    var bell: Int32 = -1
    var isClosing = false
    var end: SFTPEnd?
    var extensions: Set<String> = []
    var limits: SFTPTicket?
    var sizes: (read: Int, write: Int)?
    var folders: Set<String> = []
    var hasLinks: Bool?
    var count = 0
  }

  /// How many bytes a read or a write has unless the server says otherwise: what every server takes.
  static let usualSize = 32 << 10
  /// How many bytes a read or a write has at most.
  private static let largestSize = 255 << 10
  /// How many requests of one transfer are under way at once.
  static let window = 64

  private let access: SFTPAccess
  private let state = Mutex(State())
  private let greeting = SFTPTicket()
  let files = OpenFiles()

  private init(_ access: SFTPAccess) { self.access = access }

  // MARK: Opening and closing

  /// Starts the client and waits until the server speaks SFTP.
  ///
  /// - Throws: ``SFTPEnd``.
  static func open(_ access: SFTPAccess) async throws -> SFTPConnection {
    let connection = SFTPConnection(access)
    do throws(SyncError) {
      try connection.begin(access.words())
    } catch {
      throw SFTPEnd(error)
    }
    do {
      _ = try await connection.greeting.answer()
    } catch {
      connection.close()
      throw error
    }
    if connection.offers(.limits) {
      let limits = connection.send(.limits)
      connection.state.withLock { $0.limits = limits }
    }
    return connection
  }

  /// Ends it; what is under way fails.
  func close() {
    state.withLock { state in
      state.isClosing = true
      Self.ring(state)
    }
  }

  /// Whether requests can still be sent.
  var isOpen: Bool { state.withLock { $0.end == nil && !$0.isClosing } }

  // MARK: What is known of the server

  /// Whether the server offers an extension.
  func offers(_ name: SFTPExtension) -> Bool {
    state.withLock { $0.extensions.contains(name.rawValue) }
  }

  /// How many bytes a read and a write may have.
  func sizes() async throws -> (read: Int, write: Int) {
    let (known, limits) = state.withLock { ($0.sizes, $0.limits) }
    if let known { return known }
    var sizes = (read: Self.usualSize, write: Self.usualSize)
    if let limits, case .extended(let bytes) = try await limits.answer() {
      var reader = SFTPReader(bytes)
      if let longest = try? reader.long(), let read = try? reader.long(),
        let write = try? reader.long()
      {
        func size(_ limit: UInt64) -> Int {
          // Zero is no limit; a packet has a head besides its bytes.
          let limit = limit == 0 ? UInt64(Self.usualSize) : limit
          let packet = longest > 1_024 ? longest - 1_024 : UInt64(Self.usualSize)
          return max(1_024, Int(min(limit, packet, UInt64(Self.largestSize))))
        }
        sizes = (size(read), size(write))
      }
    }
    state.withLock { [sizes] in $0.sizes = sizes }
    return sizes
  }

  /// Whether a folder, by its path on the server, has been seen by this connection, and no link in its place.
  func knows(_ folder: String) -> Bool { state.withLock { $0.folders.contains(folder) } }

  /// Notes that a folder is there, or that it may no longer be.
  func note(_ folder: String, isThere: Bool) {
    state.withLock { state in
      if isThere { state.folders.insert(folder) } else { state.folders = [] }
    }
  }

  /// Whether the server's medium has second names for files; nil as long as that has not been seen.
  var hasLinks: Bool? {
    get { state.withLock { $0.hasLinks } }
    set { state.withLock { $0.hasLinks = newValue } }
  }

  /// How many requests have been sent.
  var requestCount: Int { state.withLock { $0.count } }

  // MARK: Requests

  /// Sends a request; its answer comes later.
  @discardableResult func send(_ request: SFTPRequest) -> SFTPTicket {
    let ticket = SFTPTicket()
    let end = state.withLock { state -> SFTPEnd? in
      if let end = state.end { return end }
      var id = state.nextID
      while state.awaited[id] != nil { id &+= 1 }
      state.nextID = id &+ 1
      state.count += 1
      if state.awaited.isEmpty { state.heard = .now }
      state.awaited[id] = (ticket, request.answer)
      state.outgoing.append(request.packet(id))
      Self.ring(state)
      return nil
    }
    if let end { ticket.settle(.failure(end)) }
    return ticket
  }

  /// Ends the connection because of what the server has sent.
  func refuse(_ breach: SFTPBreach) -> SFTPEnd {
    close()
    return SFTPEnd(breach, access)
  }

  private static func ring(_ state: borrowing State) {
    guard state.bell >= 0 else { return }
    var byte: UInt8 = 1
    // A full pipe has woken the thread already.
    _ = write(state.bell, &byte, 1)
  }
}

// MARK: The thread

extension SFTPConnection {
  /// What a thread begins with.
  private final class Start: Sendable {
    let connection: SFTPConnection
    let words: [String]
    let bell: Int32

    init(_ connection: SFTPConnection, _ words: [String], bell: Int32) {
      self.connection = connection
      self.words = words
      self.bell = bell
    }
  }

  private func begin(_ words: [String]) throws(SyncError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw SyncError(
        .remoteIO, "No pipe can be made.", cause: String(cString: strerror(errno)))
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    state.withLock { state in
      state.bell = ends[1]
      state.outgoing = [SFTPRequest.greeting]
      state.heard = .now
    }
    let context = Unmanaged.passRetained(Start(self, words, bell: ends[0])).toOpaque()
    // A signal is for the program and not for this thread; a closed pipe is an error and no signal.
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    #if canImport(Darwin)
    var made: pthread_t?
    let status = pthread_create(&made, nil, { SFTPConnection.main($0) }, context)
    if let made, status == 0 { pthread_detach(made) }
    #else
    var made = pthread_t()
    let status = pthread_create(&made, nil, { $0.flatMap { SFTPConnection.main($0) } }, context)
    if status == 0 { pthread_detach(made) }
    #endif
    guard status == 0 else {
      Unmanaged<Start>.fromOpaque(context).release()
      for end in ends { _ = systemClose(end) }
      throw SyncError(
        .remoteIO, "No thread can be made.", cause: String(cString: strerror(status)))
    }
  }

  private static func main(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
    start.connection.run(start.words, bell: start.bell)
    return nil
  }

  /// Carries bytes until the connection ends, and says to everybody that it has.
  private func run(_ words: [String], bell: Int32) {
    let end: SFTPEnd
    do throws(SyncError) {
      var carrier = SFTPCarrier(try SSHChild(words, variables: access.variables))
      let reason = carry(&carrier, bell: bell)
      let status = carrier.child.end(patience: reason == .ended ? 200 : 50)
      end = SFTPEnd(
        reason, said: carrier.child.said, status: status, hasSpoken: carrier.hasSpoken, access)
    } catch {
      end = SFTPEnd(error)
    }
    let (waiting, own) = state.withLock { state in
      defer { (state.end, state.bell, state.awaited, state.outgoing) = (end, -1, [:], []) }
      return (state.awaited.values.map { $0.ticket }, state.bell)
    }
    for number in [own, bell] { _ = systemClose(number) }
    for ticket in waiting + [greeting] { ticket.settle(.failure(end)) }
  }

  /// How long a client that takes nothing any more has to say why.
  private static let lastWords = Duration.seconds(1)

  private func carry(_ carrier: inout SFTPCarrier, bell: Int32) -> SFTPEnd.Reason {
    var cutOff: ContinuousClock.Instant?
    while true {
      let (packets, isClosing, rest) = state.withLock { state in
        defer { state.outgoing = [] }
        let isWaiting = !carrier.hasSpoken || !state.awaited.isEmpty
        return (
          state.outgoing, state.isClosing,
          isWaiting ? access.silence - (.now - state.heard) : nil
        )
      }
      if isClosing { return .closed }
      if let rest, rest <= .zero { return .silent }
      let words = cutOff.map { Self.lastWords - (.now - $0) }
      if let words, words <= .zero { return .ended }
      carrier.give(packets)
      guard carrier.wait(bell: bell, atMost: [rest, words].compactMap(\.self).min()) else {
        return .ended
      }
      do throws(SFTPBreach) {
        let (heard, isOver) = try carrier.move { packet, isFirst throws(SFTPBreach) in
          try take(packet, isFirst: isFirst)
        }
        if heard { state.withLock { $0.heard = .now } }
        if isOver { return .ended }
        if carrier.isCutOff, cutOff == nil { cutOff = .now }
      } catch {
        return .broken(error)
      }
    }
  }

  private func take(_ packet: [UInt8], isFirst: Bool) throws(SFTPBreach) {
    if isFirst {
      let extensions = try SFTPAnswer.greeting(packet)
      state.withLock { $0.extensions = extensions }
      greeting.settle(.success(.status(SFTPStatus(SFTPStatus.done))))
      return
    }
    let answer = try SFTPAnswer(packet)
    guard let (ticket, kind) = state.withLock({ $0.awaited.removeValue(forKey: answer.id) })
    else {
      throw SFTPBreach("an answer to a question that was not asked")
    }
    let found = answer.content.kind
    guard found == kind || found == .status else {
      ticket.settle(.failure(SFTPEnd(SFTPBreach("an answer of another kind"), access)))
      throw SFTPBreach("an answer of another kind")
    }
    // The caller was cancelled and will not close what the server has opened for it.
    if !ticket.settle(.success(answer.content)), case .handle(let handle) = answer.content {
      send(.close(handle))
    }
  }
}

import SyncKit
import SyncWire
import Synchronization

/// Brings the news of commits to waiting listeners.
///
/// - **Coalesced.** News of one domain that no listener has taken yet are sent once.
/// - **Bounded.** A listener that is slow has at most one entry a domain waiting.
/// - **At once.** A listener whose token has ended here hears no more and its stream ends; one whose
///   token was ended by another process, or is over, ends within a second.
public final class NewsHub: Sendable {
  /// What a listener gets.
  enum Word: Sendable, Equatable {
    /// Something has come in these domains.
    case news([String], id: UInt64)
    /// Nothing has come, and the connection is to be kept open.
    case beat
  }

  /// How often a silent stream is written to.
  static let beatMilliseconds: Int64 = 15_000
  /// How often other processes are listened to.
  private static let tickMilliseconds: Int64 = 500

  private struct Room {
    var listeners: [UInt64: Listener] = [:]
    var byAccount: [String: Set<UInt64>] = [:]
    var next: UInt64 = 0
    var endings: Int64?
    var isTicking = false
    var isClosed = false
  }

  private let room = Mutex(Room())
  private let storage: any ServerStorage
  private let usage: TokenUsage
  private let environment: SyncEnvironment

  init(storage: any ServerStorage, usage: TokenUsage, environment: SyncEnvironment) {
    self.storage = storage
    self.usage = usage
    self.environment = environment
    storage.observe { [weak self] news in self?.hear(news) }
  }

  /// How many streams are open.
  public var count: Int { room.withLock { $0.listeners.count } }

  /// Adds a listener; nil when the server is about to end.
  func listen(_ identity: Identity) -> Listener? {
    let (listener, mustTick) = room.withLock { room -> (Listener?, Bool) in
      guard !room.isClosed else { return (nil, false) }
      room.next += 1
      let listener = Listener(id: room.next, identity: identity)
      room.listeners[listener.id] = listener
      room.byAccount[identity.account, default: []].insert(listener.id)
      defer { room.isTicking = true }
      return (listener, !room.isTicking)
    }
    if mustTick { Task { await tick() } }
    return listener
  }

  /// Ends a listener.
  func leave(_ listener: Listener) {
    room.withLock { room in
      room.listeners[listener.id] = nil
      let account = listener.identity.account
      room.byAccount[account]?.remove(listener.id)
      if room.byAccount[account]?.isEmpty == true { room.byAccount[account] = nil }
    }
    listener.end()
  }

  /// Ends all streams and takes no more.
  public func close() {
    let all = room.withLock { room in
      room.isClosed = true
      return Array(room.listeners.values)
    }
    for listener in all { listener.end() }
  }

  private func hear(_ news: StorageNews) {
    if news.isEverything { Task { await catchUp() } }
    let (told, ended) = room.withLock { room -> ([(Listener, String)], [Listener]) in
      var told: [(Listener, String)] = []
      for place in news.places {
        for id in room.byAccount[place.account] ?? [] {
          if let listener = room.listeners[id] { told.append((listener, place.domain)) }
        }
      }
      guard !news.endedTokens.isEmpty else { return (told, []) }
      let ended = room.listeners.values.filter { news.endedTokens.contains($0.identity.token) }
      return (told, Array(ended))
    }
    for listener in ended { listener.end() }
    for (listener, domain) in told { listener.tell(domain) }
  }

  /// Tells all listeners of everything: news of other servers were missed.
  ///
  /// Devices then look by their cursors. When not even that can be told, their streams end, and they look when they
  /// are back.
  private func catchUp() async {
    let listeners = room.withLock { Array($0.listeners.values) }
    await endTheDead(listeners, evenIfNoneEnded: true)
    let accounts = Set(listeners.map(\.identity.account))
    guard let places = try? await storage.places(of: accounts) else {
      for listener in listeners { listener.end() }
      return
    }
    var news = StorageNews()
    news.places = places
    hear(news)
  }

  /// Runs while there are listeners.
  private func tick() async {
    var sinceBeat: Int64 = 0
    while true {
      try? await Task.sleep(for: .milliseconds(Self.tickMilliseconds))
      let listeners = room.withLock { room in
        if room.listeners.isEmpty || room.isClosed { room.isTicking = false }
        return room.isTicking ? Array(room.listeners.values) : nil
      }
      guard let listeners else { return }
      sinceBeat += Self.tickMilliseconds
      let isBeat = sinceBeat >= Self.beatMilliseconds
      await endTheDead(listeners, evenIfNoneEnded: isBeat)
      guard isBeat else { continue }
      sinceBeat = 0
      let now = environment.now()
      for listener in listeners {
        usage.note(listener.identity.token, at: now)
        listener.beat()
      }
    }
  }

  private func endTheDead(_ listeners: [Listener], evenIfNoneEnded: Bool) async {
    guard let endings = try? await storage.endings() else { return }
    let isNew = room.withLock { room in
      defer { room.endings = endings }
      return room.endings != endings
    }
    let now = environment.now()
    let isOver = listeners.contains { $0.identity.expires.map { $0 <= now } ?? false }
    guard isNew || isOver || evenIfNoneEnded else { return }
    let tokens = Set(listeners.map(\.identity.token))
    guard let living = try? await storage.living(tokens) else { return }
    for listener in listeners where !living.contains(listener.identity.token) { listener.end() }
  }
}

/// One stream of news.
final class Listener: Sendable {
  private struct Box {
    var domains: [String] = []
    var count: UInt64 = 0
    var isBeat = false
    var isEnded = false
    var waiter: CheckedContinuation<NewsHub.Word?, Never>?
  }

  let id: UInt64
  let identity: Identity
  private let box = Mutex(Box())

  init(id: UInt64, identity: Identity) {
    self.id = id
    self.identity = identity
  }

  func tell(_ domain: String) {
    give { box in if !box.domains.contains(domain) { box.domains.append(domain) } }
  }

  func beat() { give { $0.isBeat = true } }

  /// Ends the stream: what was not taken yet is not given any more.
  func end() { give { $0.isEnded = true } }

  /// The next word; nil at the end, and when the task is cancelled.
  func next() async -> NewsHub.Word? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ready = box.withLock { box -> NewsHub.Word?? in
          if let word = Self.take(&box) { return word }
          box.waiter = continuation
          return nil
        }
        if let ready { continuation.resume(returning: ready) }
      }
    } onCancel: {
      end()
    }
  }

  private func give(_ change: (inout Box) -> Void) {
    let waiting = box.withLock {
      box -> (CheckedContinuation<NewsHub.Word?, Never>, NewsHub.Word?)? in
      change(&box)
      guard let waiter = box.waiter, let word = Self.take(&box) else { return nil }
      box.waiter = nil
      return (waiter, word)
    }
    if let (waiter, word) = waiting { waiter.resume(returning: word) }
  }

  /// What can be given now: nil for nothing, nil within for the end.
  private static func take(_ box: inout Box) -> NewsHub.Word?? {
    if box.isEnded { return .some(nil) }
    if !box.domains.isEmpty {
      defer { box.domains = [] }
      box.count += 1
      box.isBeat = false
      return .news(box.domains, id: box.count)
    }
    guard box.isBeat else { return nil }
    box.isBeat = false
    return .beat
  }
}

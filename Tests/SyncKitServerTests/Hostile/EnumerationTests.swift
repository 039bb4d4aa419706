import SyncKit
import SyncKitTesting
import SyncWire
import Synchronization
import Testing

@testable import SyncKitServer

/// What an attacker can learn by trying names and tokens: nothing, by answers or by the work that they cost.
struct EnumerationTests {
  /// An account with one of each thing, and a stranger.
  private struct World {
    let storage: ServerDatabase
    let clock: VirtualClock
    let ada: ServerStorageContract.Person
    let stranger: ServerStorageContract.Person
    let cursor: UInt64
    let token: String
    let share: String
    let participant: String
    /// What is spelt like an id and is none.
    let absent = "aaaaaaaaaaaaaaaa"
  }

  private static func run(_ body: (World) async throws -> Void) async throws {
    let folder = try temporaryFolder()
    defer { removeFolder(folder) }
    let clock = VirtualClock()
    let (storage, administration) = try SQLiteServerStorageTests.open(folder, clock: clock)
    let place = SQLiteServerStorageTests.place(storage, administration, clock)
    let ada = try await ServerStorageContract.person(place, "Ada")
    let guest = try await ServerStorageContract.person(place, "Guest")
    let stranger = try await ServerStorageContract.person(place, "Stranger")
    let stored = try await ServerStorageContract.store(
      [TestSegments(zone: "bike").segment(1)], ada, place)
    let made = try await storage.makeToken("For a job", .read, expires: nil, ada.asks())
    let (share, participant) = try await ServerStorageContract.share(
      "bike", of: ada, with: guest, as: .reader, place)
    try await body(
      World(
        storage: storage, clock: clock, ada: ada, stranger: stranger,
        cursor: stored[0].cursor ?? 0, token: made.id, share: share, participant: participant))
    try await administration.close()
    try await storage.close()
  }

  /// What a request was answered with, and what it has cost.
  private struct Outcome: Equatable {
    var refusal: WireError?
    var answer: String
    var work: WorkCount.Reading
  }

  private static func outcome(
    _ world: World, _ body: () async throws -> String
  ) async -> Outcome {
    let before = world.storage.work.reading
    var answer = ""
    var refusal: WireError?
    do { answer = try await body() } catch {
      refusal = error as? WireError ?? WireError(.failure, "\(error)")
    }
    return Outcome(
      refusal: refusal, answer: answer, work: world.storage.work.reading - before)
  }

  // MARK: Tokens

  /// Everything that can be asked with a token.
  private static func requests(
    _ world: World
  ) -> [(name: String, send: (Caller) async throws -> Void)] {
    let storage = world.storage
    let domain = ServerStorageContract.domain
    return [
      ("identity", { _ = try await storage.identity($0) }),
      ("account", { _ = try await storage.account($0) }),
      ("devices", { _ = try await storage.devices($0) }),
      ("rename", { _ = try await storage.rename(device: "device", "New", $0) }),
      ("remove", { _ = try await storage.remove(device: "device", $0) }),
      ("pair", { _ = try await storage.pair($0) }),
      ("tokens", { _ = try await storage.tokens($0) }),
      ("make", { _ = try await storage.makeToken("Job", .read, expires: nil, $0) }),
      ("revoke", { _ = try await storage.revoke(token: world.token, $0) }),
      ("made", { _ = try await storage.made(byToken: world.token, $0) }),
      ("made by", { _ = try await storage.made(byDevice: "device", $0) }),
      ("audit", { _ = try await storage.audit($0, limit: 10) }),
      ("roots", { _ = try await storage.roots($0) }),
      (
        "root", { try await storage.add(root: "0e37df36-f698-11e6-8dd4-cb9ced3df976", $0) }
      ),
      ("feed", { _ = try await storage.feed(domain, FeedQuestion(), $0) }),
      ("store", { _ = try await storage.store([], in: domain, $0) }),
      ("fetch", { _ = try await storage.fetch([world.cursor], of: domain, upTo: 1, $0) }),
      ("erase", { try await storage.erase("bike", of: domain, Confirmations(), $0) }),
      ("shares", { _ = try await storage.shares($0) }),
      (
        "share",
        {
          _ = try await storage.share(ShareRequest(domain: domain, zone: "bike", title: "T"), $0)
        }
      ),
      (
        "invite",
        {
          _ = try await storage.invite(
            InvitationRequest(role: .reader, name: "N"), to: world.share, $0)
        }
      ),
      (
        "accept",
        { _ = try await storage.accept(TokenText(.invitation, from: .seeded(9)), showing: nil, $0) }
      ),
      (
        "change",
        {
          _ = try await storage.change(
            participant: world.participant, of: world.share, to: .writer, $0)
        }
      ),
      (
        "dismiss", { try await storage.remove(participant: world.participant, of: world.share, $0) }
      ),
      ("end", { try await storage.end(share: world.share, $0) }),
    ]
  }

  @Test func `a token that is wrong, unknown, revoked or over costs the same and says the same`()
    async throws
  {
    try await Self.run { world in
      let made = try await world.storage.makeToken("Gone", .manage, expires: nil, world.ada.asks())
      let over = try await world.storage.makeToken(
        "Over", .manage, expires: world.clock.now + 1_000, world.ada.asks())
      _ = try await world.storage.revoke(token: made.id, world.ada.asks())
      world.clock.advance(by: 2_000)
      func caller(_ text: String?) throws -> Caller {
        Caller(try #require(text.flatMap { TokenText($0) }), needs: .read, address: "test")
      }
      let unknown = Caller(
        TokenText(.token, from: .seeded(77)), needs: .read, address: "test")
      // The name is a good one's, the secret is not.
      var wrong = unknown
      wrong.token = world.ada.token.id
      let callers = [
        ("wrong", wrong), ("revoked", try caller(made.secret)), ("over", try caller(over.secret)),
      ]
      for request in Self.requests(world) {
        func ask(_ caller: Caller) async -> Outcome {
          await Self.outcome(world) {
            try await request.send(caller)
            return "done"
          }
        }
        let plain = await ask(unknown)
        #expect(plain.refusal == Refusal.unauthenticated, "\(request.name): \(plain)")
        #expect(plain.work.comparisons == 1, "\(request.name): \(plain.work)")
        for (name, caller) in callers {
          let other = await ask(caller)
          #expect(other == plain, "\(request.name), \(name): \(other.work), not \(plain.work)")
        }
      }
    }
  }

  // MARK: Things

  @Test func `what belongs to another account costs what a missing thing costs, and says the same`()
    async throws
  {
    try await Self.run { world in
      let storage = world.storage
      let me = world.stranger.asks()
      let domain = ServerStorageContract.domain
      func fetch(_ cursor: UInt64) async throws -> String {
        "\(try await storage.fetch([cursor], of: domain, upTo: 1, me).map { $0?.count })"
      }
      func invite(_ share: String) async throws -> String {
        "\(try await storage.invite(InvitationRequest(role: .reader, name: "N"), to: share, me))"
      }
      func change(_ part: String, _ share: String) async throws -> String {
        "\(try await storage.change(participant: part, of: share, to: .writer, me))"
      }
      func done(_ body: () async throws -> Void) async throws -> String {
        try await body()
        return "done"
      }
      let (absent, share, part) = (world.absent, world.share, world.participant)
      let pairs: [(String, () async throws -> String, () async throws -> String)] = [
        ("segment", { try await fetch(world.cursor) }, { try await fetch(9_999) }),
        (
          "token", { "\(try await storage.revoke(token: world.token, me))" },
          { "\(try await storage.revoke(token: absent, me))" }
        ),
        (
          "made", { "\(try await storage.made(byToken: world.token, me))" },
          { "\(try await storage.made(byToken: absent, me))" }
        ),
        ("invite", { try await invite(share) }, { try await invite(absent) }),
        (
          "end", { try await done { try await storage.end(share: share, me) } },
          { try await done { try await storage.end(share: absent, me) } }
        ),
        ("change", { try await change(part, share) }, { try await change(absent, absent) }),
        (
          "dismiss",
          { try await done { try await storage.remove(participant: part, of: share, me) } },
          { try await done { try await storage.remove(participant: absent, of: absent, me) } }
        ),
        (
          "share",
          {
            "\(try await storage.share(ShareRequest(domain: domain, zone: "bike", title: "T"), me))"
          },
          {
            "\(try await storage.share(ShareRequest(domain: domain, zone: "none", title: "T"), me))"
          }
        ),
      ]
      for (name, foreign, missing) in pairs {
        let theirs = await Self.outcome(world, foreign)
        let nobodys = await Self.outcome(world, missing)
        #expect(theirs == nobodys, "\(name): \(theirs) is not \(nobodys)")
        #expect(theirs.refusal == Refusal.notFound || name == "segment", "\(name): \(theirs)")
      }
    }
  }

  @Test func `an invitation whose secret is wrong costs what an unknown one costs`() async throws {
    try await Self.run { world in
      let invitation = try await world.storage.invite(
        InvitationRequest(role: .reader, name: "N"), to: world.share, world.ada.asks())
      let good = try #require(TokenText(invitation.secret))
      let unknown = TokenText(.invitation, from: .seeded(5))
      // The same name with another secret, as a reader of a log has it.
      let wrong = try #require(Self.invitation(named: good.id))
      let first = await Self.outcome(world) {
        "\(try await world.storage.accept(unknown, showing: nil, world.stranger.asks()))"
      }
      let second = await Self.outcome(world) {
        "\(try await world.storage.accept(wrong, showing: nil, world.stranger.asks()))"
      }
      #expect(first.refusal == Refusal.gone && first == second, "\(first), \(second)")
      #expect(first.work.comparisons == 2)
    }
  }

  /// An invitation of a name with a secret that was never drawn.
  private static func invitation(named id: String) -> TokenText? {
    let word = Base32.decode(id).map { bytes in bytes.reduce(0) { $0 << 8 | UInt64($1) } } ?? 0
    let draws = Draws([word, 1, 2, 3, 4])
    return TokenText(.invitation, from: SyncEnvironment(now: { 0 }, random: { draws.next() }))
  }
}

/// Words in a row, for what is drawn.
private final class Draws: Sendable {
  private let words: Mutex<[UInt64]>

  init(_ words: [UInt64]) { self.words = Mutex(words) }

  func next() -> UInt64 { words.withLock { $0.removeFirst() } }
}

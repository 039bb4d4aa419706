import SyncKitFormats
import SyncKit
import SyncKitTesting
import SyncWire
import Testing

@testable import SyncKitServer

@Suite struct SharingTests {
  private static let zone: ZoneID = "bike-1"
  private static let vault = "0b5c9f3e-7a41-4d2b-9c6e-1f20a3b4c5d6"

  /// An owner with a zone of two segments, and a guest.
  private static func people(
    _ server: TestServer
  ) async throws -> (owner: TestServer.Person, guest: TestServer.Person) {
    let owner = try await server.person("Owner")
    let guest = try await server.person("Guest")
    let made = TestSegments(zone: zone)
    _ = try await server.push([made.segment(1), made.segment(2)], owner.token)
    return (owner, guest)
  }

  @Test func `a guest gets what was there before, once, and then what comes`() async throws {
    try await TestServer.run { server in
      let (owner, guest) = try await Self.people(server)
      let mine = try TestSegments(series: ReplicaID(high: 9, low: 9)).segment(1)
      _ = try await server.push([mine], guest.token)
      let before = try await server.feed(guest.token)
      #expect(before.segments.map(\.zone) == [.home])
      try await server.share(Self.zone, of: owner, with: guest, as: .reader)
      let granted = try await server.feed(
        guest.token, epoch: before.epoch, after: before.cursor)
      #expect(granted.isContinuation)
      #expect(granted.segments.map(\.first) == [1, 2])
      #expect(granted.access[Self.zone]?.role == .reader)
      #expect(granted.access[Self.zone]?.owner == "Owner")
      _ = try await server.push([try TestSegments(zone: Self.zone).segment(3)], owner.token)
      let next = try await server.feed(guest.token, epoch: granted.epoch, after: granted.cursor)
      #expect(next.isContinuation)
      #expect(next.segments.map(\.first) == [3])
      let all = try await server.feed(guest.token)
      #expect(all.segments.count == 4)
    }
  }

  @Test func `what a guest shows of its keys reaches the owner, and no other guest`() async throws {
    try await TestServer.run { server in
      let (owner, guest) = try await Self.people(server)
      let (share, _) = try await server.share(Self.zone, of: owner, with: guest, as: .reader)
      let other = try await server.person("Other")
      let invitation = try Invitation(
        json: try await server.ask(
          "POST", "/v1/shares/\(share)/invitations", owner.token,
          InvitationRequest(role: .writer, name: "Other").json))
      func cards(_ person: TestServer.Person) async throws -> [String: String?] {
        let shares = try await server.ask("GET", "/v1/shares", person.token)
        let participants = try WireShare(json: shares["shares"]?[0] ?? .null).participants
        return Dictionary(uniqueKeysWithValues: participants.map { ($0.name, $0.card) })
      }
      func accept(_ card: String) async throws -> Int {
        try await server.send(
          "POST", "/v1/invitations/accept", token: other.token,
          json: Acceptance(secret: invitation.secret, card: card).json
        ).status
      }
      #expect(try await accept(String(repeating: "c", count: 2_049)) == 422)
      #expect(try await cards(owner) == ["Guest": nil, "Other": nil])
      #expect(try await accept("first") == 200)
      #expect(try await cards(owner) == ["Guest": nil, "Other": "first"])
      // Once more with another one, as after a device was let go.
      #expect(try await accept("second") == 200)
      #expect(try await cards(owner) == ["Guest": nil, "Other": "second"])
      #expect(try await cards(other) == ["Other": "second"])
      #expect(try await cards(guest) == ["Guest": nil])
    }
  }

  @Test func `pages of any size tell everything once, also across a grant`() async throws {
    try await TestServer.run { server in
      let (owner, guest) = try await Self.people(server)
      try await server.share(Self.zone, of: owner, with: guest, as: .reader)
      for number in UInt64(3)...9 {
        _ = try await server.push([try TestSegments(zone: Self.zone).segment(number)], owner.token)
        let mine = try TestSegments(series: ReplicaID(high: 9, low: 9)).segment(number)
        _ = try await server.push([mine], guest.token)
      }
      for limit in 1...5 {
        var seen: [UInt64] = []
        var page = try await server.feed(guest.token, limit: limit)
        seen += page.segments.map(\.cursor)
        while page.hasMore {
          #expect(page.segments.count == limit)
          page = try await server.feed(
            guest.token, epoch: page.epoch, after: page.cursor, inside: page.inside, limit: limit)
          #expect(page.isContinuation)
          seen += page.segments.map(\.cursor)
        }
        #expect(seen.count == 16, "in pages of \(limit)")
        #expect(Set(seen).count == 16, "in pages of \(limit)")
      }
    }
  }

  @Test func `a large zone that was there before comes in pages, and nothing new gets lost`()
    async throws
  {
    try await TestServer.run { server in
      let (owner, guest) = try await Self.people(server)
      for first in UInt64(3)...40 {
        _ = try await server.push([try TestSegments(zone: Self.zone).segment(first)], owner.token)
      }
      let before = try await server.feed(guest.token)
      try await server.share(Self.zone, of: owner, with: guest, as: .reader)
      var seen: [UInt64] = []
      var page = before
      var pages = 0
      repeat {
        page = try await server.feed(
          guest.token, epoch: page.epoch, after: page.cursor, inside: page.inside, limit: 7)
        pages += 1
        #expect(page.segments.count <= 7, "page \(pages)")
        // A device that forgot what is inside would read there again, and never pass it.
        if page.inside != nil { #expect(page.cursor == before.cursor) }
        seen += page.segments.map(\.first)
        // What comes between two pages stands behind all of them.
        if pages == 3 {
          _ = try await server.push([try TestSegments(zone: Self.zone).segment(41)], owner.token)
        }
      } while page.hasMore
      #expect(seen == Array(1...41))
      #expect(pages == 6)
      #expect(page.inside == nil)
      let rest = try await server.feed(guest.token, epoch: page.epoch, after: page.cursor)
      #expect(rest.segments.isEmpty && rest.isContinuation)
    }
  }

  @Test func `an invented point within a page is refused, or harmless`() async throws {
    try await TestServer.run { server in
      let (owner, guest) = try await Self.people(server)
      try await server.share(Self.zone, of: owner, with: guest, as: .reader)
      for wrong in ["", "1", "-", "1-", "-1", "1-2-3", "a-b", "1--2", "01-2"] {
        let answer = try await server.get("/v1/domains/tests/feed?inside=\(wrong)", guest.token)
        #expect(answer.status == 422, "\(wrong): \(answer.text)")
      }
      // Without an epoch one begins at the start, whatever else one says.
      let page = try await server.feed(guest.token, inside: "9000-9000")
      #expect(page.segments.count == 2)
    }
  }

  @Test func `a reader stores nothing`() async throws {
    try await TestServer.run { server in
      let (owner, guest) = try await Self.people(server)
      try await server.share(Self.zone, of: owner, with: guest, as: .reader)
      let edit = try TestSegments(zone: Self.zone, series: ReplicaID(high: 9, low: 9)).segment(1)
      let results = try await server.push([edit], guest.token)
      #expect(results.map(\.status) == [.refused])
      #expect(results[0].error?.code == .forbidden)
      let page = try await server.feed(owner.token)
      #expect(page.segments.count == 2)
    }
  }

  @Test func `a writer adds a series of its own and cannot write on the owner's`() async throws {
    try await TestServer.run { server in
      let (owner, guest) = try await Self.people(server)
      try await server.share(Self.zone, of: owner, with: guest, as: .writer)
      let edit = try TestSegments(zone: Self.zone, series: ReplicaID(high: 9, low: 9)).segment(1)
      let known = try TestSegments(zone: Self.zone).segment(1)
      let forged = try TestSegments(zone: Self.zone).segment(3)
      let results = try await server.push([edit, known, forged], guest.token)
      #expect(results.map(\.status) == [.stored, .known, .refused])
      let page = try await server.feed(owner.token)
      #expect(page.segments.map(\.first) == [1, 2, 1])
      let state = try AccountState(json: try await server.ask("GET", "/v1/account", guest.token))
      #expect(state.usedBytes == 0, "the owner pays for what a guest writes")
    }
  }

  @Test func `a removed guest gets not one byte more, and sees its role`() async throws {
    try await TestServer.run { server in
      let (owner, guest) = try await Self.people(server)
      let part = try await server.share(Self.zone, of: owner, with: guest, as: .writer)
      let page = try await server.feed(guest.token)
      _ = try await server.ask(
        "DELETE", "/v1/shares/\(part.share)/participants/\(part.participant)", owner.token)
      let fetched = try await server.fetch(page.segments.map(\.cursor), guest.token)
      #expect(fetched == [nil, nil])
      let one = try await server.get(
        "/v1/domains/tests/segments/\(page.segments[0].cursor)", guest.token)
      #expect(one.status == 404)
      let after = try await server.feed(guest.token)
      #expect(after.segments.count == 0)
      #expect(after.access[Self.zone]?.role == .removed)
      let late = try TestSegments(zone: Self.zone, series: ReplicaID(high: 9, low: 9)).segment(1)
      let results = try await server.push([late], guest.token)
      #expect(results.map(\.status) == [.refused])
    }
  }

  @Test func `a guest that leaves sees so on its other devices, and may be invited again`()
    async throws
  {
    try await TestServer.run { server in
      let (owner, guest) = try await Self.people(server)
      let part = try await server.share(Self.zone, of: owner, with: guest, as: .reader)
      let narrow = try await server.token(.sync, of: guest)
      _ = try await server.ask(
        "DELETE", "/v1/shares/\(part.share)/participants/\(part.participant)", narrow)
      let page = try await server.feed(guest.token)
      #expect(page.access[Self.zone]?.role == .left)
      #expect(page.segments.count == 0)
      try await server.share(Self.zone, of: owner, with: guest, as: .writer)
      let again = try await server.feed(guest.token, epoch: page.epoch, after: page.cursor)
      #expect(again.access[Self.zone]?.role == .writer)
      #expect(again.segments.count == 2)
    }
  }

  @Test func `a role that is changed counts from the next request on`() async throws {
    try await TestServer.run { server in
      let (owner, guest) = try await Self.people(server)
      let part = try await server.share(Self.zone, of: owner, with: guest, as: .writer)
      let made = TestSegments(zone: Self.zone, series: ReplicaID(high: 9, low: 9))
      let first = try await server.push([try made.segment(1)], guest.token)
      #expect(first.map(\.status) == [.stored])
      let changed = try await server.ask(
        "PATCH", "/v1/shares/\(part.share)/participants/\(part.participant)", owner.token,
        ["role": "reader"])
      #expect(changed["role"] == "reader")
      let second = try await server.push([try made.segment(2)], guest.token)
      #expect(second.map(\.status) == [.refused])
    }
  }

  @Test func `a share that ends leaves the zone to its owner alone`() async throws {
    try await TestServer.run { server in
      let (owner, guest) = try await Self.people(server)
      let part = try await server.share(Self.zone, of: owner, with: guest, as: .reader)
      for _ in 0..<2 { _ = try await server.ask("DELETE", "/v1/shares/\(part.share)", owner.token) }
      let mine = try await server.feed(owner.token)
      #expect(mine.segments.count == 2)
      #expect(mine.access.isEmpty)
      let theirs = try await server.feed(guest.token)
      #expect(theirs.segments.count == 0)
      #expect(theirs.access[Self.zone]?.role == .removed)
      let new = try await server.share(Self.zone, of: owner, with: guest, as: .reader)
      #expect(new.share != part.share)
      let again = try await server.feed(guest.token)
      #expect(again.segments.count == 2)
    }
  }

  @Test func `sharing again finds the share that is there`() async throws {
    try await TestServer.run { server in
      let (owner, _) = try await Self.people(server)
      let request = ShareRequest(domain: "tests", zone: Self.zone, title: "The red one").json
      let first = try await server.send("POST", "/v1/shares", token: owner.token, json: request)
      #expect(first.status == 201)
      let second = try await server.send("POST", "/v1/shares", token: owner.token, json: request)
      #expect(second.status == 200)
      #expect(second.json == first.json)
      let home = ShareRequest(domain: "tests", zone: .home, title: "All").json
      let refused = try await server.send("POST", "/v1/shares", token: owner.token, json: home)
      #expect(refused.status == 422)
    }
  }

  @Test func `an invitation serves one account, once, for seven days`() async throws {
    try await TestServer.run { server in
      let (owner, guest) = try await Self.people(server)
      let other = try await server.person("Other")
      let request = ShareRequest(domain: "tests", zone: Self.zone, title: "Bike").json
      let share = try await server.ask("POST", "/v1/shares", owner.token, request)
      let path = "/v1/shares/\(share["id"]?.string ?? "")/invitations"
      let invite = InvitationRequest(role: .reader, name: "Somebody").json
      let secret = try Invitation(json: try await server.ask("POST", path, owner.token, invite))
        .secret
      let accept: JSON = ["secret": .string(secret)]
      func take(_ token: String) async throws -> TestServer.Answer {
        try await server.send("POST", "/v1/invitations/accept", token: token, json: accept)
      }
      #expect(try await take(owner.token).error == "conflict")
      #expect(try await take(guest.token).status == 200)
      #expect(try await take(guest.token).status == 200, "a repeated answer is the same")
      let spent = try await take(other.token)
      #expect(spent.status == 410)
      let late = try Invitation(json: try await server.ask("POST", path, owner.token, invite))
      server.clock.advance(by: 8 * 86_400_000)
      let over = try await server.send(
        "POST", "/v1/invitations/accept", token: other.token,
        json: ["secret": .string(late.secret)])
      #expect(over.status == 410)
      #expect(over.bytes == spent.bytes)
    }
  }

  @Test func `a guest that has a zone of this id itself is refused`() async throws {
    try await TestServer.run { server in
      let (owner, guest) = try await Self.people(server)
      let mine = try TestSegments(zone: Self.zone, series: ReplicaID(high: 9, low: 9)).segment(1)
      _ = try await server.push([mine], guest.token)
      let request = ShareRequest(domain: "tests", zone: Self.zone, title: "Bike").json
      let share = try await server.ask("POST", "/v1/shares", owner.token, request)
      let invitation = try Invitation(
        json: try await server.ask(
          "POST", "/v1/shares/\(share["id"]?.string ?? "")/invitations", owner.token,
          InvitationRequest(role: .reader, name: "Guest").json))
      let answer = try await server.send(
        "POST", "/v1/invitations/accept", token: guest.token,
        json: ["secret": .string(invitation.secret)])
      #expect(answer.status == 409)
      #expect(answer.error == "zone-taken")
    }
  }

  @Test func `a share has a limit of participants`() async throws {
    var policy = ServerPolicy()
    policy.maximumParticipants = 2
    try await TestServer.run(policy: policy) { server in
      let (owner, _) = try await Self.people(server)
      let request = ShareRequest(domain: "tests", zone: Self.zone, title: "Bike").json
      let share = try await server.ask("POST", "/v1/shares", owner.token, request)
      let path = "/v1/shares/\(share["id"]?.string ?? "")/invitations"
      let invite = InvitationRequest(role: .reader, name: "Somebody").json
      for _ in 0..<2 { _ = try await server.ask("POST", path, owner.token, invite) }
      let third = try await server.send("POST", path, token: owner.token, json: invite)
      #expect(third.status == 422)
      #expect(third.error == "too-many-participants")
    }
  }

  @Test func `a poll without anything new names what else there is to know`() async throws {
    try await TestServer.run { server in
      let (owner, guest) = try await Self.people(server)
      let alone = try await server.person("Alone")
      let added = try await server.send("PUT", "/v1/vault/\(Self.vault)", token: alone.token)
      #expect(added.status == 204)
      func poll(_ person: TestServer.Person) async throws -> FeedPage {
        let all = try await server.feed(person.token)
        let page = try await server.feed(person.token, epoch: all.epoch, after: all.cursor)
        #expect(page.isContinuation && page.segments.isEmpty && page.cursor == all.cursor)
        #expect(page.roots == all.roots && page.access == all.access && page.erased == all.erased)
        return page
      }
      #expect(try await poll(alone).roots == [Self.vault])
      #expect(try await poll(owner).access.isEmpty)
      try await server.share(Self.zone, of: owner, with: guest, as: .writer)
      #expect(try await poll(owner).access[Self.zone]?.role == .owner)
      #expect(try await poll(guest).access[Self.zone]?.role == .writer)
      let word = Confirmations([ReplicaID(high: 1, low: 0): VersionVector()])
      let erased = try await server.send(
        "PUT", "/v1/domains/tests/zones/\(Self.zone)/erasure", token: owner.token,
        json: ["confirmations": ErasureConfirmations(word).json])
      #expect(erased.status == 204)
      #expect(try await poll(owner).erased.count == 1)
      #expect(try await poll(guest).erased.count == 1)
      // Behind the end of what there is, and in an epoch of another server, everything is told.
      let all = try await server.feed(alone.token)
      #expect(try await !server.feed(alone.token, epoch: "other", after: 0).isContinuation)
      #expect(
        try await !server.feed(alone.token, epoch: all.epoch, after: 1 << 40).isContinuation)
    }
  }

  @Test func `a guest confirms that a zone was withdrawn`() async throws {
    try await TestServer.run { server in
      let (owner, guest) = try await Self.people(server)
      try await server.share(Self.zone, of: owner, with: guest, as: .writer)
      func erase(_ replica: UInt64, _ token: String) async throws -> Int {
        let word = Confirmations([ReplicaID(high: replica, low: 0): VersionVector()])
        return try await server.send(
          "PUT", "/v1/domains/tests/zones/\(Self.zone)/erasure", token: token,
          json: ["confirmations": ErasureConfirmations(word).json]
        ).status
      }
      #expect(try await erase(1, guest.token) == 403)
      #expect(try await erase(2, owner.token) == 204)
      let told = try await server.feed(guest.token)
      #expect(told.segments.count == 0)
      #expect(told.erased[Self.zone]?.replicas == [ReplicaID(high: 2, low: 0)])
      #expect(try await erase(3, guest.token) == 204)
      let both = try await server.feed(owner.token)
      #expect(both.erased[Self.zone]?.replicas.count == 2)
      let late = try await server.push(
        [try TestSegments(zone: Self.zone, series: ReplicaID(high: 9, low: 9)).segment(1)],
        guest.token)
      #expect(late.map(\.status) == [.erased])
    }
  }
}

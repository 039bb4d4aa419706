import RealPlaces
import SyncKit
import SyncKitTesting
import SyncWire
import Testing

@testable import SyncKitServer

@Suite struct SeveralServersTests {
  private typealias Contract = ServerStorageContract

  @Test func `a push to one server wakes a listener of the other`() async throws {
    try await ServerPair.run { pair in
      let ada = try await pair.person("Ada")
      let bob = try await pair.person("Bob")
      let identity = try await pair.second.storage.identity(ada.asks(.read))
      let listener = try #require(pair.second.news.listen(identity))
      let other = try #require(
        pair.second.news.listen(try await pair.second.storage.identity(bob.asks(.read))))
      _ = try await Contract.store([TestSegments().segment(1)], ada, pair.place(pair.first))
      #expect(await listener.next() == .news([Contract.domain], id: 1))
      // The first thing that another account hears is its own.
      _ = try await pair.first.storage.store(
        [.checked(try TestSegments(domain: "mine").segment(1))], in: "mine", bob.asks(.sync))
      #expect(await other.next() == .news(["mine"], id: 1))
    }
  }

  @Test func `a token that one server ends is refused by the other within a second`() async throws {
    try await ServerPair.run { pair in
      let ada = try await pair.person("Ada")
      let made = try await pair.first.storage.makeToken("Program", .read, expires: nil, ada.asks())
      let token = try #require(made.secret.flatMap { TokenText($0) })
      let program = Contract.Person(account: ada.account, token: token)
      let listener = try #require(
        pair.second.news.listen(try await pair.second.storage.identity(program.asks(.read))))
      // The answer is one that the second server remembers.
      for _ in 0..<3 { _ = try await pair.second.storage.identity(program.asks(.read)) }
      _ = try await pair.first.storage.revoke(token: token.id, ada.asks())
      try await Task.sleep(for: .seconds(1))
      await #expect(throws: WireError.self) {
        _ = try await pair.second.storage.identity(program.asks(.read))
      }
      #expect(await listener.next() == nil)
    }
  }

  @Test func `an account that the host locks is shut out of every server`() async throws {
    try await ServerPair.run { pair in
      let ada = try await pair.person("Ada")
      for state in [pair.first, pair.second] {
        _ = try await state.storage.identity(ada.asks(.read))
      }
      try await pair.administration.setLocked(true, ada.account)
      try await Task.sleep(for: .seconds(1))
      for state in [pair.first, pair.second] {
        await #expect(throws: WireError.self) {
          _ = try await state.storage.identity(ada.asks(.read))
        }
      }
    }
  }

  @Test func `pushes through both servers have one order, without a gap`() async throws {
    try await ServerPair.run { pair in
      let ada = try await pair.person("Ada")
      let (writers, each) = (8, 20)
      let readers = [pair.first, pair.second].map { state in
        Task {
          var (seen, page) = ([UInt64](), FeedPage?.none)
          // Until both have seen all, or for a bounded time.
          for _ in 0..<4_000 where seen.count < writers * each {
            let next = try await Contract.feed(
              ada, pair.place(state), epoch: page?.epoch, after: page?.cursor ?? 0, limit: 7)
            seen += next.segments.map(\.cursor)
            if next.segments.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            page = next
          }
          return seen
        }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<writers {
          group.addTask {
            let made = TestSegments(series: ReplicaID(high: UInt64(writer), low: 1))
            for number in 1...each {
              let state = (writer + number).isMultiple(of: 2) ? pair.first : pair.second
              _ = try await Contract.store([made.segment(UInt64(number))], ada, pair.place(state))
            }
          }
        }
        try await group.waitForAll()
      }
      for reader in readers {
        let seen = try await reader.value
        #expect(seen == Array(1...UInt64(writers * each)))
      }
      let findings = try await pair.administration.check()
      #expect(findings.problems == [], "\(findings.problems)")
    }
  }

  @Test func `one segment that is sent to both servers at once is stored once`() async throws {
    try await ServerPair.run { pair in
      let ada = try await pair.person("Ada")
      let segment = try TestSegments().segment(1)
      let results = try await withThrowingTaskGroup(of: StoreResult.self) { group in
        for number in 0..<20 {
          let state = number.isMultiple(of: 2) ? pair.first : pair.second
          group.addTask { try await Contract.store([segment], ada, pair.place(state))[0] }
        }
        return try await group.reduce(into: [StoreResult]()) { $0.append($1) }
      }
      #expect(results.filter { $0.status == .stored }.count == 1)
      #expect(Set(results.map(\.cursor)).count == 1)
    }
  }

  @Test func `a position of one server goes on at the other`() async throws {
    try await ServerPair.run { pair in
      let ada = try await pair.person("Ada")
      _ = try await Contract.store([TestSegments().segment(1)], ada, pair.place(pair.first))
      let page = try await Contract.feed(ada, pair.place(pair.first))
      _ = try await Contract.store([TestSegments().segment(2)], ada, pair.place(pair.second))
      let next = try await Contract.feed(
        ada, pair.place(pair.second), epoch: page.epoch, after: page.cursor)
      #expect(next.isContinuation)
      #expect(next.segments.map(\.first) == [2])
    }
  }

  @Test func `a server that stops in the middle of a commit holds up the others for seconds only`()
    async throws
  {
    try await ServerPair.run { pair in
      let ada = try await pair.person("Ada")
      let stopped = try PostgreSQLSession(pair.address.direct)
      try stopped.run(
        "SET idle_in_transaction_session_timeout='5s'; BEGIN; \(PostgreSQLLink.lock)")
      let isStored = try await ServerPair.wait {
        let results = try? await Contract.store(
          [TestSegments().segment(1)], ada, pair.place(pair.first))
        return results?.map(\.status) == [.stored]
      }
      #expect(isStored)
      withExtendedLifetime(stopped) {}
    }
  }
}

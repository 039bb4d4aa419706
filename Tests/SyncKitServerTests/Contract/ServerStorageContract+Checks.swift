import SyncKit
import SyncKitTesting
import SyncWire
import Synchronization

@testable import SyncKitServer

extension ServerStorageContract {
  static let checks: [ContractCheck<ServerStorageContract>] = [
    ContractCheck("A code lets in one device, once") { contract in
      let place = try await contract.make()
      let code = try await place.account("Ada", nil)
      let request = JoinRequest(code: code, device: WireName(id: "one", name: "One"))
      _ = try await place.storage.join(request, address: "contract")
      try await expectRefusal(.gone, "a spent code") {
        _ = try await place.storage.join(request, address: "contract")
      }
    },
    ContractCheck("Storing is repeatable, also at once") { contract in
      let place = try await contract.make()
      let ada = try await person(place, "Ada")
      let segment = try TestSegments().segment(1)
      let statuses = try await withThrowingTaskGroup(of: StoreResult.self) { group in
        for _ in 0..<20 {
          group.addTask { try await store([segment], ada, place)[0] }
        }
        return try await group.reduce(into: [StoreResult]()) { $0.append($1) }
      }
      let stored = statuses.filter { $0.status == .stored }
      try expect(stored.count == 1, "\(stored.count) of 20 were stored")
      try expect(Set(statuses.map(\.cursor)).count == 1, "there are several cursors")
      let page = try await feed(ada, place)
      try expect(page.segments.count == 1, "\(page.segments.count) segments are there")
    },
    ContractCheck("A reader up to a cursor never misses what comes with a lower one") {
      contract in
      let place = try await contract.make()
      let ada = try await person(place, "Ada")
      let writers = 8
      let each = 25
      let isDone = Flag()
      let seen = try await withThrowingTaskGroup(of: [UInt64].self) { group in
        for _ in 0..<2 {
          group.addTask {
            var seen: [UInt64] = []
            var page = try await feed(ada, place, limit: 7)
            seen += page.segments.map(\.cursor)
            while true {
              let mayEnd = isDone.isSet
              page = try await feed(
                ada, place, epoch: page.epoch, after: page.cursor, limit: 7)
              seen += page.segments.map(\.cursor)
              guard page.isContinuation else { throw ContractViolation("a position was lost") }
              if mayEnd, page.segments.isEmpty { return seen }
              // An answer from memory does not suspend: give the writers a thread.
              await Task.yield()
            }
          }
        }
        try await withThrowingTaskGroup(of: Void.self) { writing in
          for writer in 0..<writers {
            writing.addTask {
              let made = TestSegments(series: ReplicaID(high: UInt64(writer), low: 1))
              for number in 1...each {
                _ = try await store([made.segment(UInt64(number))], ada, place)
              }
            }
          }
          try await writing.waitForAll()
        }
        isDone.set()
        return try await group.reduce(into: [[UInt64]]()) { $0.append($1) }
      }
      for cursors in seen {
        try expect(
          cursors.count == writers * each, "a reader saw \(cursors.count) of \(writers * each)")
        try expect(cursors == cursors.sorted(), "the cursors are not in order")
      }
    },
    ContractCheck("A quota refuses a request whole") { contract in
      let place = try await contract.make()
      let segments = try (1...3).map { try TestSegments().segment($0) }
      let room = Int64(segments[0].bytes.count * 2)
      let ada = try await person(place, "Ada", maximumBytes: room)
      try await expectRefusal(.quota, "too much") { _ = try await store(segments, ada, place) }
      let page = try await feed(ada, place)
      try expect(page.segments.isEmpty, "\(page.segments.count) segments stay of a refused request")
      let two = try await store(Array(segments.prefix(2)), ada, place)
      try expect(two.allSatisfy { $0.status == .stored }, "two do not fit: \(two)")
    },
    ContractCheck("A refused request harms none that are written with it") { contract in
      let place = try await contract.make()
      let ada = try await person(place, "Ada")
      let poor = try await person(place, "Poor", maximumBytes: 1)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...20 {
          group.addTask {
            let segment = try TestSegments().segment(UInt64(number))
            if number % 2 == 0 {
              _ = try await store([segment], ada, place)
            } else {
              try await expectRefusal(.quota, "a poor account's segment") {
                _ = try await store([segment], poor, place)
              }
            }
          }
        }
        try await group.waitForAll()
      }
      let page = try await feed(ada, place)
      try expect(page.segments.count == 10, "\(page.segments.count) of 10 are there")
    },
    ContractCheck("An ended token is refused, and every server learns of it") { contract in
      let place = try await contract.make()
      let ada = try await person(place, "Ada")
      let heard = Mutex(StorageNews())
      place.storage.observe { news in heard.withLock { $0.formUnion(news) } }
      let made = try await place.storage.makeToken("Program", .read, expires: nil, ada.asks())
      guard let token = made.secret.flatMap({ TokenText($0) }) else {
        throw ContractViolation("a new token bears no secret")
      }
      let program = Person(account: ada.account, token: token)
      _ = try await feed(program, place)
      let before = try await place.storage.endings()
      _ = try await place.storage.revoke(token: made.id, ada.asks())
      try await expectRefusal(.unauthenticated, "an ended token") {
        _ = try await feed(program, place)
      }
      try expect(heard.withLock { $0.endedTokens } == [made.id], "no server learned of it")
      let after = try await place.storage.endings()
      try expect(after != before, "other processes cannot see it")
      let living = try await place.storage.living([made.id, ada.token.id])
      try expect(living == [ada.token.id], "\(living) are said to be good")
    },
    ContractCheck("What was made with a token ends with it") { contract in
      let place = try await contract.make()
      let ada = try await person(place, "Ada")
      func make(_ name: String, _ maker: Person) async throws -> Person {
        let made = try await place.storage.makeToken(name, .manage, expires: nil, maker.asks())
        guard let token = made.secret.flatMap({ TokenText($0) }) else {
          throw ContractViolation("a new token bears no secret")
        }
        return Person(account: ada.account, token: token)
      }
      let parent = try await make("Parent", ada)
      let child = try await make("Child", parent)
      let code = try await place.storage.pair(child.asks()).code
      let told = try await place.storage.made(byToken: parent.token.id, ada.asks())
      let ended = try await place.storage.revoke(token: parent.token.id, ada.asks())
      try expect(told == ended, "it says other things before than after")
      try expect(ended.tokens.map(\.name) == ["Child"], "\(ended.tokens) ended")
      try await expectRefusal(.unauthenticated, "a token of an ended one") {
        _ = try await feed(child, place)
      }
      try await expectRefusal(.gone, "a code of an ended token") {
        _ = try await place.storage.join(
          JoinRequest(code: code, device: WireName(id: "ghost", name: "Ghost")),
          address: "contract")
      }
    },
    ContractCheck("A scope that is too narrow is refused before anything is read") {
      contract in
      let place = try await contract.make()
      let ada = try await person(place, "Ada")
      let made = try await place.storage.makeToken("Program", .read, expires: nil, ada.asks())
      guard let token = made.secret.flatMap({ TokenText($0) }) else {
        throw ContractViolation("a new token bears no secret")
      }
      let program = Person(account: ada.account, token: token)
      try await expectRefusal(.forbidden, "a write with a token to read") {
        _ = try await store([TestSegments().segment(1)], program, place)
      }
      try await expectRefusal(.forbidden, "a device that is not there") {
        _ = try await place.storage.remove(device: "nobody", program.asks())
      }
    },
    ContractCheck("A wrong secret under a known name is refused like an unknown one") { contract in
      let place = try await contract.make()
      let ada = try await person(place, "Ada")
      var caller = ada.asks(.read)
      let other = TokenText(.token, from: .seeded(7))
      caller.digest = Caller(other, needs: .read, address: "").digest
      try await expectRefusal(.unauthenticated, "a wrong secret") {
        _ = try await place.storage.account(caller)
      }
    },
    ContractCheck("Accounts see nothing of one another") { contract in
      let place = try await contract.make()
      let ada = try await person(place, "Ada")
      let bob = try await person(place, "Bob")
      let stored = try await store([TestSegments(zone: "same").segment(1)], ada, place)
      _ = try await store([TestSegments(zone: "same").segment(2)], bob, place)
      let page = try await feed(bob, place)
      try expect(page.segments.map(\.first) == [2], "one sees the other's segments")
      let cursor = stored[0].cursor ?? 0
      let taken = try await place.storage.fetch(
        [cursor], of: domain, upTo: 1 << 20, bob.asks(.read))
      try expect(taken == [nil], "one fetches the other's segment")
      let elsewhere = try await place.storage.fetch(
        [cursor], of: "another", upTo: 1 << 20, ada.asks(.read))
      try expect(elsewhere == [nil], "a segment is given out as one of another domain")
    },
    ContractCheck("A fetch stops before it grows too large, and brings at least one") { contract in
      let place = try await contract.make()
      let ada = try await person(place, "Ada")
      let segments = try (1...4).map { try TestSegments().segment($0) }
      let cursors = try await store(segments, ada, place).map { $0.cursor ?? 0 }
      let size = segments[0].bytes.count
      for (limit, wanted) in [(0, 1), (size, 1), (size * 2, 2), (size * 9, 4)] {
        let found = try await place.storage.fetch(
          cursors, of: domain, upTo: limit, ada.asks(.read))
        try expect(
          found == segments.prefix(wanted).map(\.bytes),
          "up to \(limit) bytes \(found.count) of \(wanted) came")
      }
    },
    ContractCheck("A guest gets all that was there at the grant, wherever it stands") { contract in
      let place = try await contract.make()
      let ada = try await person(place, "Ada")
      let bob = try await person(place, "Bob")
      for number in 1...3 {
        _ = try await store([TestSegments(zone: "bike").segment(UInt64(number))], ada, place)
      }
      _ = try await store([TestSegments().segment(1)], bob, place)
      let before = try await feed(bob, place)
      _ = try await share("bike", of: ada, with: bob, as: .reader, place)
      _ = try await store([TestSegments().segment(2)], bob, place)
      var (page, zones) = (before, [String]())
      repeat {
        page = try await feed(
          bob, place, epoch: page.epoch, after: page.cursor, inside: page.inside, limit: 1)
        try expect(page.isContinuation, "the position was lost by the grant")
        try expect(page.segments.count == 1, "a page of one has \(page.segments)")
        zones += page.segments.map(\.zone.text)
      } while page.hasMore
      try expect(zones == ["bike", "bike", "bike", "home"], "it got \(zones)")
    },
    ContractCheck("A right that was withdrawn is refused in the next transaction") { contract in
      let place = try await contract.make()
      let ada = try await person(place, "Ada")
      let bob = try await person(place, "Bob")
      let cursor =
        try await store([TestSegments(zone: "bike").segment(1)], ada, place)[0].cursor ?? 0
      let part = try await share("bike", of: ada, with: bob, as: .writer, place)
      let before = try await place.storage.fetch(
        [cursor], of: domain, upTo: 1 << 20, bob.asks(.read))
      try expect(before.count == 1 && before[0] != nil, "a guest gets nothing")
      try await place.storage.remove(participant: part.participant, of: part.share, ada.asks())
      let after = try await place.storage.fetch(
        [cursor], of: domain, upTo: 1 << 20, bob.asks(.read))
      try expect(after == [nil], "a removed guest gets a segment")
      let edit = try TestSegments(zone: "bike", series: ReplicaID(high: 9, low: 9)).segment(1)
      let stored = try await store([edit], bob, place)
      try expect(stored[0].status == .refused, "a removed guest's edit is \(stored[0].status)")
    },
    ContractCheck("An erased zone is empty and stays so, and confirmations add up") { contract in
      let place = try await contract.make()
      let ada = try await person(place, "Ada")
      let segment = try TestSegments(zone: "gone").segment(1)
      _ = try await store([segment], ada, place)
      var vector = VersionVector()
      vector[ReplicaID(high: 5, low: 6)] = Head(seq: 3, hash: ContentHash(high: 1, low: 2))
      for (replica, kept) in [(UInt64(1), vector), (2, VersionVector()), (1, VersionVector())] {
        try await place.storage.erase(
          "gone", of: domain, Confirmations([ReplicaID(high: replica, low: 0): kept]),
          ada.asks(.sync))
      }
      let late = try await store([segment], ada, place)
      try expect(late[0].status == .erased, "a late segment is \(late[0].status)")
      let page = try await feed(ada, place)
      try expect(page.segments.isEmpty, "\(page.segments.count) segments are there")
      try expect(page.erased["gone"]?.replicas.count == 2, "the words are \(page.erased)")
      try expect(
        page.erased["gone"]?[ReplicaID(high: 1, low: 0)] == vector, "a word was taken back")
      let state = try await place.storage.account(ada.asks(.read))
      try expect(state.usedBytes == 0, "\(state.usedBytes) bytes are still counted")
    },
    ContractCheck("No token below manage begins an erasure, and nothing erases home") { contract in
      let place = try await contract.make()
      let ada = try await person(place, "Ada")
      let made = try await place.storage.makeToken("Program", .sync, expires: nil, ada.asks())
      guard let token = made.secret.flatMap({ TokenText($0) }) else {
        throw ContractViolation("a new token bears no secret")
      }
      let program = Person(account: ada.account, token: token)
      let zones: [ZoneID] = [.home, "paul"]
      _ = try await store(zones.map { try TestSegments(zone: $0).segment(1) }, ada, place)
      func erase(_ zone: ZoneID, _ person: Person) async throws {
        try await place.storage.erase(zone, of: domain, Confirmations(), person.asks(.sync))
      }
      for person in [ada, program] {
        try await expectRefusal(.invalid, "erasing home") { try await erase(.home, person) }
      }
      for zone in ["paul", "never-there"] as [ZoneID] {
        try await expectRefusal(.forbidden, "a program's erasure") {
          try await erase(zone, program)
        }
      }
      let page = try await feed(ada, place)
      try expect(page.segments.count == 2 && page.erased.isEmpty, "something was erased")
      try await erase("paul", ada)
      // What has begun may be confirmed.
      try await erase("paul", program)
    },
    ContractCheck("A cursor that was given is never given again") { contract in
      let place = try await contract.make()
      let ada = try await person(place, "Ada")
      let first = try await store([TestSegments(zone: "gone").segment(1)], ada, place)
      try await place.storage.erase("gone", of: domain, Confirmations(), ada.asks(.sync))
      let second = try await store([TestSegments().segment(1)], ada, place)
      try expect(
        second[0].cursor ?? 0 > first[0].cursor ?? 0, "\(first) came before \(second)")
    },
    ContractCheck("Every reader of a zone gets news of what comes into it") { contract in
      let place = try await contract.make()
      let ada = try await person(place, "Ada")
      let bob = try await person(place, "Bob")
      _ = try await store([TestSegments(zone: "bike").segment(1)], ada, place)
      _ = try await share("bike", of: ada, with: bob, as: .reader, place)
      let heard = Mutex(StorageNews())
      place.storage.observe { news in heard.withLock { $0.formUnion(news) } }
      _ = try await store([TestSegments(zone: "bike").segment(2)], ada, place)
      let places = heard.withLock { $0.places }
      let wanted = Set(
        [ada, bob].map { StorageNews.Place(account: $0.account, domain: domain) })
      try expect(places == wanted, "\(places) heard")
      heard.withLock { $0 = StorageNews() }
      _ = try await store([TestSegments(zone: "bike").segment(2)], ada, place)
      try expect(heard.withLock { $0.isEmpty }, "they hear of what was known")
    },
  ]
}

/// Something that one task says to others once.
private final class Flag: Sendable {
  private let state = Mutex(false)
  var isSet: Bool { state.withLock { $0 } }
  func set() { state.withLock { $0 = true } }
}

import SyncKit
import SyncKitTesting
import Testing

/// Three devices and two remotes, of which the second device knows both; roots are published, withdrawn
/// back and written to at random, and synced at random.
private struct ScopeWorld {
  let near = InMemoryTransport()
  let far = InMemoryTransport()
  let phones: [Phone]
  var random: SeededRandom
  var written: [String: RecordID] = [:]

  init(seed: UInt64) async throws {
    random = SeededRandom(seed: seed)
    let clock = VirtualClock()
    phones = [
      try Phone("a\(seed)", near, clock: clock),
      try Phone("box\(seed)", near, far, clock: clock),
      try Phone("b\(seed)", far, clock: clock),
    ]
    try await phones[0].engine.attach()
    var options = SyncOptions()
    options.consent = .adopt
    for phone in phones[1...] { try await phone.engine.attach(options) }
  }

  mutating func step() async throws {
    let phone = phones[Int.random(in: 0..<phones.count, using: &random)]
    let person = RecordID("p\(Int.random(in: 0..<3, using: &random))")
    let record = try phone.person(person)
    switch Int.random(in: 0..<10, using: &random) {
    case 0 where record?.isDeleted != false: try phone.add(person, "\(person) of \(phone.name)")
    case 1...4:
      guard record?.isDeleted == false else { return }
      let text = "canary-\(written.count)-"
      written[text] = person
      try phone.entry(RecordID("e\(written.count)"), of: person, text)
    case 5, 6:
      guard let record, !record.isDeleted else { return }
      try phone.set(record.scope == .local ? .synced : .local, person)
    default: _ = await phone.engine.sync()
    }
  }

  func settle() async throws {
    for _ in 0..<6 {
      for phone in phones { _ = await phone.engine.sync() }
    }
  }

  /// What does not hold, as sentences.
  func violations() async throws -> [String] {
    var found: [String] = []
    for (text, person) in written.sorted(by: { $0.key < $1.key }) {
      let holders = try phones.filter { try $0.entries.contains(text) }
      if holders.isEmpty { found.append("\(text) is lost") }
      let isSynced = try holders.contains { try $0.person(person)?.scope == .synced }
      for remote in [near, far] where try await leaked(text, on: remote) && !isSynced {
        found.append("\(text) is on a remote though no device syncs \(person)")
      }
    }
    for person in ["p0", "p1", "p2"] as [RecordID] {
      let seen = try phones.compactMap { phone -> Set<String>? in
        guard let record = try phone.person(person), record.scope == .synced, !record.isDeleted
        else { return nil }
        return Set(try phone.entries.filter { written[$0] == person })
      }
      if Set(seen).count > 1 { found.append("\(person) differs between those who sync it") }
    }
    for phone in phones where try !phone.owed.isEmpty {
      found.append("\(phone.name) waits for \(try phone.owed)")
    }
    for outcome in await phones[1].engine.sync() {
      // What is not sent is counted in each run.
      var report = outcome.report
      report.unsent = 0
      if report != SyncReport() { found.append("a quiet run does \(report)") }
    }
    return found
  }
}

@Test(arguments: UInt64(1)...40)
func `roots that come and go lose nothing and leave nothing behind`(seed: UInt64) async throws {
  var world = try await ScopeWorld(seed: seed)
  for _ in 0..<80 { try await world.step() }
  try await world.settle()
  #expect(try await world.violations() == [])
}

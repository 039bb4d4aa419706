import SyncKit
import SyncKitTesting
import Testing

/// An edit that was not published yet meets one that was, made later on another device.
struct RebasePolicyTests {
  /// What both show in the end, and whether a person has to decide.
  private func outcome(under policy: RebasePolicy) async throws -> [String] {
    let remote = InMemoryTransport()
    let clock = VirtualClock()
    let phone = try TestDevice("phone", remote, clock: clock, rebase: ["title": policy])
    let mac = try TestDevice("mac", remote, clock: clock, rebase: ["title": policy])
    try phone.save("emma", ["title": "Emma"])
    try await phone.engine.syncNow()
    try await mac.engine.syncNow()

    try phone.save("emma", ["title": "of the phone"])
    try mac.save("emma", ["title": "of the Mac"])
    for device in [mac, phone, mac] { try await device.engine.syncNow() }
    return try [phone, mac].map { device in
      let title = try #require(try device.book("emma")?.fields["title"])
      let conflicts = try device.store.conflicts().map { conflict in
        let others = conflict.candidates.map(\.value).filter { $0 != conflict.shown }
        return ", beside \(others)\(conflict.needsDecision ? " to be decided" : "")"
      }
      return "\(title)\(conflicts.joined())"
    }
  }

  @Test func `under merge both stay, and the newest is shown`() async throws {
    let shown = try await outcome(under: .merge)
    #expect(shown.allSatisfy { $0.contains("of the Mac") }, "\(shown)")
  }

  @Test func `where the local edit wins it is written again, on top of the newer one`()
    async throws
  {
    let shown = try await outcome(under: .localWins)
    #expect(shown.allSatisfy { $0.contains("of the phone") }, "\(shown)")
  }

  @Test func `where the remote edit wins the local one is overridden`() async throws {
    let shown = try await outcome(under: .remoteWins)
    #expect(shown.allSatisfy { $0.contains("of the Mac") }, "\(shown)")
  }

  @Test func `where the local edit wins nothing stands beside it`() async throws {
    let shown = try await outcome(under: .localWins)
    #expect(shown.allSatisfy { !$0.contains("beside") }, "\(shown)")
  }

  @Test func `an overridden edit stands beside the remote one, and nothing has to be decided`()
    async throws
  {
    let shown = try await outcome(under: .remoteWins)
    #expect(shown.allSatisfy { $0.contains("beside") && $0.contains("of the phone") }, "\(shown)")
    #expect(shown.allSatisfy { !$0.contains("to be decided") }, "\(shown)")
  }
}

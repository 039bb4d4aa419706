import SegmentFormat
import SettingsSync
import SyncKit
import SyncKitTesting
import Testing

/// One of the devices of a person, with settings of its own store.
struct Owner {
  static let app = "com.example.tightfive"

  let clock: VirtualClock
  let store: SyncStore
  let engine: SyncEngine
  let settings: AppSettings

  init(
    _ name: String, meeting remote: InMemoryTransport, clock: VirtualClock = VirtualClock(),
    os: String = "linux", declaring declaration: SettingsDeclaration? = nil
  ) throws {
    self.clock = clock
    let seed = name.utf8.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) }
    store = try SyncStore(
      SettingsDomain(), storage: InMemoryStorage(), coding: DeflateSegmentCoding(),
      device: Device(id: name, name: name),
      environment: .seeded(SeededRandom(seed: seed), clock: clock))
    engine = SyncEngine(
      store: store, remotes: [Remote("memory", location: "memory:", transport: remote)])
    settings = AppSettings(
      Self.app, in: store, on: SettingsMachine(os: os, host: name, device: name))
    if let declaration { try store.declare(declaration, for: Self.app) }
  }

  /// Sets a key a second later.
  func set(_ key: String, _ value: SettingValue) throws {
    clock.advance(by: 1_000)
    try settings.set(key, to: value)
  }

  func value(_ key: String) throws -> SettingValue? { try settings.value(of: key) }

  /// The synced values, without defaults.
  var synced: [String: SettingValue] { get throws { try settings.snapshot().synced } }

  /// Captures an app's file, given as JSON.
  @discardableResult
  func capture(
    _ json: String, from source: String = "app", precedence: CapturePlan.Precedence = .file
  ) throws -> CapturePlan {
    clock.advance(by: 1_000)
    return try settings.capture(
      SettingsFile(Array(json.utf8), named: "json"), from: source, precedence: precedence)
  }
}

/// Syncs devices with their remote, one after another.
func sync(_ owners: Owner...) async throws {
  for owner in owners { try await owner.engine.syncNow() }
}

/// Whether all devices hold the same valid state.
func agree(_ owners: Owner...) throws -> Bool {
  let zones = try owners.map { owner in
    try owner.store.verify().filter { $0.zone != .local }
  }
  return zones.allSatisfy { $0.map(\.digest) == zones[0].map(\.digest) }
    && zones.joined().allSatisfy(\.problems.isEmpty)
}

/// Checks the result of a mutating call, which `#expect` does not accept.
func expect(_ isTrue: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(isTrue, sourceLocation: sourceLocation)
}

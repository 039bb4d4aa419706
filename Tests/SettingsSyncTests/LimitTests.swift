import SyncKit
import SyncKitTesting
import Testing

@testable import SettingsSync

/// The limits of the key-value store, for apps that keep them.
struct LimitTests {
  private func values(_ count: Int, bytes: Int = 1) -> [String: SettingValue] {
    Dictionary(
      (0..<count).map { ("key\($0)", SettingValue.string(String(repeating: "x", count: bytes))) },
      uniquingKeysWith: { $1 })
  }

  @Test func `1,024 keys are taken and one more is not`() {
    #expect(KeyValueStoreLimits.breach(values(1_024)) == nil)
    #expect(KeyValueStoreLimits.breach(values(1_025))?.code == .settingsQuota)
  }

  @Test func `a key has 64 bytes of UTF-8, not characters`() {
    #expect(KeyValueStoreLimits.breach([String(repeating: "k", count: 64): .int(1)]) == nil)
    let error = KeyValueStoreLimits.breach([String(repeating: "é", count: 33): .int(1)])
    #expect(error?.code == .settingsQuota && error?.message.contains("66 bytes") == true)
  }

  @Test func `a megabyte of values is taken, with a warning before`() {
    #expect(KeyValueStoreLimits.warning(values(9, bytes: 100_000)) == nil)
    #expect(KeyValueStoreLimits.warning(values(10, bytes: 100_000)) != nil)
    #expect(KeyValueStoreLimits.breach(values(10, bytes: 100_000)) == nil)
    #expect(KeyValueStoreLimits.breach(values(11, bytes: 100_000)) != nil)
  }

  @Test func `a write that breaks the limits changes nothing`() throws {
    let owner = try Owner(
      "phone", meeting: InMemoryTransport(), declaring: TightFive.declaration)
    try owner.set("appFont", .string("Menlo"))
    let key = String(repeating: "k", count: 65)
    let error = #expect(throws: SyncError.self) {
      try owner.capture(#"{"appFont": "Georgia", "\#(key)": 1}"#)
    }
    #expect(error?.code == .settingsQuota && error?.code.exit == 73)
    #expect(try owner.synced == ["appFont": .string("Menlo")])
  }
}

import SettingsSync
import SyncKit
import Testing

/// The keys that outgoing changes write, for the rules that keep some keys here.
struct EgressKeyTests {
  private func map(_ members: KeyValuePairs<FieldName, Value>) -> Value {
    .map(ValueMap(members.map { ($0.key, $0.value) }))
  }

  private func content(_ type: String, _ value: Value) -> Value {
    map(["type": .string(type), "value": value])
  }

  @Test func `each concurrent value is checked`() {
    let plain = content("string", "dark")
    let group = content("group", map(["accent": "red", "secret": "4711"]))
    func keys(_ values: Value...) -> [String] {
      SettingsDomain.keys(
        writtenBy: RecordOperation(
          .edit, "setting", "theme", values.map { FieldWrite(name: "value", value: $0) }))
    }
    #expect(keys() == ["theme"])
    #expect(keys(plain) == ["theme"])
    #expect(keys(group) == ["accent", "secret"])
    #expect(keys(plain, group) == ["theme", "accent", "secret"])
  }

  @Test func `an override counts for every key that it was written for`() {
    func keys(_ values: Value...) -> [String] {
      SettingsDomain.keys(
        writtenBy: RecordOperation(
          .edit, "override", "font@os=linux", values.map { FieldWrite(name: "key", value: $0) }))
    }
    #expect(keys() == ["font"])
    #expect(keys("font") == ["font"])
    #expect(keys("font", "secret") == ["font", "secret"])
  }
}

import SyncKitFormats
import SyncKit

/// The state of an app's file as a device last read it, enough to find what has changed since.
///
/// It keeps a hash of 64 bits of each value and not the value, so that a secret is not in one more
/// place. A key without a hash was unset.
public struct SettingsBaseline: Hashable, Sendable {
  private var marks: [String: Int64] = [:]

  /// Records the values in a file.
  public init(_ values: [String: SettingValue] = [:]) { marks = values.mapValues(Self.mark) }

  /// The keys that were set.
  public var keys: [String] { marks.keys.sorted() }

  /// Whether a key has the value that it had; nil means unset.
  public func holds(_ value: SettingValue?, for key: String) -> Bool {
    marks[key] == value.map(Self.mark)
  }

  /// A copy with the state that a key has in another baseline.
  mutating func keep(_ key: String, from other: SettingsBaseline) { marks[key] = other.marks[key] }

  /// FNV-1a over the value in JSON, which has one text for each.
  private static func mark(_ value: SettingValue) -> Int64 {
    let hash = value.json.serialized().reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
    }
    return Int64(bitPattern: hash)
  }

  // MARK: In the record of a namespace

  init(stored map: ValueMap) {
    for member in map.members { marks[member.name.text] = member.value.int }
  }

  var stored: Value { .map(ValueMap(marks.map { (FieldName($0.key), .int($0.value)) })) }

  /// All baselines of a namespace, by the file.
  static func all(_ record: Record) -> [String: SettingsBaseline] {
    Dictionary(
      (record[.baselines].map?.members ?? []).compactMap { member in
        member.value.map.map { (member.name.text, SettingsBaseline(stored: $0)) }
      }, uniquingKeysWith: { $1 })
  }

  static func stored(_ all: [String: SettingsBaseline]) -> Value {
    .map(ValueMap(all.map { (FieldName($0.key), $0.value.stored) }))
  }
}

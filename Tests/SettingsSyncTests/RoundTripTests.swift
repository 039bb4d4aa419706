import SyncKit
import Testing

@testable import SettingsSync

/// A value keeps its type through every format.
struct RoundTripTests {
  /// The formats that have types.
  static let formats: [SettingsFormat] = [.json, .yaml, .toml, .plist, .binaryPlist]

  static let values: [SettingValue] = [
    .bool(true), .bool(false), .int(0), .int(1), .int(-1), .int(.max), .int(.min), .uint(.max),
    .double(0), .double(1), .double(-0.0), .double(0.1), .double(1e300), .double(.nan),
    .double(.infinity), .double(-.infinity), .string(""), .string("1"), .string("1.0"),
    .string("true"), .string("no"), .string("2026-11-21T08:00:00Z"), .string("#3A3A3A"),
    .string("line\nline\ttab \"quoted\" \\ é漢😀"), .date(milliseconds: 1_795_248_000_000),
    .date(milliseconds: -1_000), .data([]), .data([0, 1, 254, 255]), .array([]), .dict([]),
    .array([.int(1), .double(1), .bool(true), .string("1"), .array([.date(milliseconds: 0)])]),
    .dict([.init("a", .dict([.init("$date", .string("x"))])), .init("b", .data([7]))]),
    .dict([.init("$date", .string("x"))]), .dict([.init("$dict", .dict([]))]),
    .dict([.init("$uint", .string("7"))]), .dict([.init("$data", .string("AQ=="))]),
  ]

  @Test(arguments: formats, values)
  func `a value keeps its type through a file`(format: SettingsFormat, value: SettingValue) throws {
    var file = SettingsFile(format: format)
    file["key"] = value
    file["list"] = .array([value, value])
    let bytes = try file.serialized()
    let name = format == .toml || format == .yaml ? format.rawValue : nil
    let back = try SettingsFile(bytes, named: name)
    #expect(back.format == format)
    #expect(back.values == ["key": value, "list": .array([value, value])])
    #expect(back["key"]?.kind == value.kind)
    #expect(try back.serialized() == bytes)
  }

  @Test(arguments: values)
  func `a value keeps its type through a record`(value: SettingValue) {
    let back = SettingValue(stored: value.stored)
    #expect(back == value && back?.kind == value.kind)
  }

  @Test(arguments: formats, formats)
  func `a file in one format says the same in another`(
    one: SettingsFormat, other: SettingsFormat
  ) throws {
    var file = SettingsFile(format: one)
    for (index, value) in Self.values.enumerated() { file["key\(index)"] = value }
    let read = try SettingsFile(file.serialized(), named: one.rawValue)
    var copy = SettingsFile(format: other)
    for (key, value) in read.values { copy[key] = value }
    #expect(try SettingsFile(copy.serialized(), named: other.rawValue).values == file.values)
  }

  @Test(arguments: [
    ("true", SettingValue.bool(true)), ("1", .int(1)), ("1.0", .double(1)), ("-7", .int(-7)),
    ("007", .string("007")), ("+1", .string("+1")), ("yes", .string("yes")), ("", .string("")),
    ("18446744073709551615", .uint(.max)), ("#FFF", .string("#FFF")), ("null", .string("null")),
    ("[1, 2.0]", .array([.int(1), .double(2)])),
    ("{\"a\": true}", .dict([.init("a", .bool(true))])),
    ("{\"$date\": \"2026-11-21T08:00:00Z\"}", .date(milliseconds: 1_795_248_000_000)),
    ("2026-11-21", .string("2026-11-21")), ("\"quoted\"", .string("\"quoted\"")),
    ("1e3", .double(1000)),
  ])
  func `a typed text is what it looks like`(text: String, wanted: SettingValue) {
    let value = SettingValue(typed: text)
    #expect(value == wanted && value?.kind == wanted.kind)
  }

  @Test(arguments: SettingValue.Kind.allCases)
  func `a typed text of another type is nil`(kind: SettingValue.Kind) {
    #expect((SettingValue(typed: "x y", as: kind) != nil) == (kind == .string))
  }
}

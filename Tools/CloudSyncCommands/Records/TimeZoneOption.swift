import ArgumentParser
import CommandFoundation
import SyncKit
import SyncKitFormats

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The option `--time-zone`, for files whose times name no zone.
struct TimeZoneOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The zone of times that name none, such as Europe/Berlin or +02:00; by default the system's.",
      valueName: "zone"))
  var timeZone: String?

  /// The seconds east of Greenwich at a time on the clock on the wall, in milliseconds since 1970.
  ///
  /// - Throws: ``SyncError`` `usage` for a zone that the system does not know.
  func offset() throws -> @Sendable (Int64) -> Int64 {
    guard let timeZone else { return { LocalTime.offset(wall: $0) } }
    if let point = Timestamp.parse("2000-01-01T00:00:00\(timeZone)"),
      let noon = Timestamp.parse("2000-01-01T00:00:00Z")
    {
      let seconds = (noon - point) / 1000
      return { _ in seconds }
    }
    guard NamedZone.isKnown(timeZone) else {
      throw SyncError(
        .usage, "the system knows no time zone '\(Sanitized.line(timeZone))'",
        hint: "write a name such as Europe/Berlin, or an offset such as +02:00")
    }
    // The system's own rules are those of the zone that the environment names.
    setenv("TZ", timeZone, 1)
    tzset()
    return { LocalTime.offset(wall: $0) }
  }
}

/// The time zones of the system's own database, by name.
enum NamedZone {
  /// The seconds east of Greenwich in a zone, at a time on the clock on the wall in milliseconds since
  /// 1970; nil for a name that the system does not know.
  ///
  /// The system's rules are those of the zone that the environment names, so each question changes the
  /// environment and puts it back: it is for the one thread that reads a file.
  static func offset(_ name: String) -> (@Sendable (Int64) -> Int64)? {
    guard isKnown(name) else { return nil }
    return { wall in
      let before = getenv("TZ").map { String(cString: $0) }
      setenv("TZ", name, 1)
      tzset()
      defer {
        if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
        tzset()
      }
      return LocalTime.offset(wall: wall)
    }
  }

  static func isKnown(_ name: String) -> Bool {
    let isName = name.utf8.allSatisfy { byte in
      byte.isLetterOrDigit || [0x2B, 0x2D, 0x2F, 0x5F].contains(byte)
    }
    guard isName, !name.hasPrefix("/"), !name.isEmpty else { return false }
    if name == "UTC" { return true }
    let folders = [
      getenv("TZDIR").map { String(cString: $0) }, "/usr/share/zoneinfo",
      "/var/db/timezone/zoneinfo",
    ]
    return folders.compactMap(\.self).contains { access("\($0)/\(name)", R_OK) == 0 }
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: false
    }
  }
}

import CommandFoundation
import SyncKitFormats
import SyncKit

/// A device that has written times in the future, by the clock of this one: one of the two clocks is or was wrong.
struct WrongClock {
  let device: StoreStatus.DeviceStatus
  /// By how many milliseconds.
  let lead: Int64

  /// The devices of any number of stores, each once.
  static func found(_ devices: [StoreStatus.DeviceStatus]) -> [WrongClock] {
    var found: [String: WrongClock] = [:]
    for device in devices {
      guard let lead = device.clockLead, lead > found[device.device.id]?.lead ?? 0 else { continue }
      found[device.device.id] = WrongClock(device: device, lead: lead)
    }
    return found.values.sorted { $0.device.device.id < $1.device.device.id }
  }

  /// What was found, as a sentence without full stop.
  var summary: String {
    let who = device.isSelf ? "this device" : Sanitized.line(device.device.shown)
    return "\(who) has written times that are \(ClockWords.span(lead)) ahead of this device's clock"
  }

  var check: DoctorCheck {
    DoctorCheck(
      "clock", .warning, summary,
      advice:
        "set the wrong clock, for example with NTP; conflicts that such times would decide need your "
        + "decision, see 'cloudsync conflicts list'")
  }
}

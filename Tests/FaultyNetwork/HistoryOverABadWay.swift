package import SyncKit
import SyncKitTesting

/// What has come of devices that wrote over a bad way until it was good again.
package struct HistoryOverABadWay {
  /// How often a device was told that it could not sync now.
  package var failures = 0
  /// What it was told that is no passing failure.
  package var surprises: [SyncError] = []
  /// Whether all devices, and one that came late, have the same in the end.
  package var isEqual = true
  /// Whether nothing is wrong in any store.
  package var isSound = true
  /// How many of the 40 notes the device has that came late.
  package var notes = 0

  /// Lets three devices write forty notes over and over, heals the way, and compares them with a newcomer.
  ///
  /// - Parameters:
  ///   - way: The way.
  ///   - transport: A device's transport over it.
  /// - Throws: What is no ``SyncError``, and what a device says over the good way.
  package init(over way: BadWay, _ transport: () throws -> any Transport) async throws {
    let clock = VirtualClock()
    func device(_ name: String) throws -> BusyDevice {
      try BusyDevice(name, transport(), of: "contract", clock: clock)
    }
    let devices = [try device("a"), try device("b"), try device("c")]
    for number in 0..<60 {
      do {
        try await devices[number % 3].write(number)
      } catch let error as SyncError {
        // What cannot be sent now is written here all the same.
        failures += 1
        if !error.code.isRetryable, !Self.passing.contains(error.code) { surprises.append(error) }
      }
    }
    way.heal()
    for device in devices { try await device.sync() }
    let late = try device("late")
    // The newcomer introduces itself, which the others take in a round later.
    for _ in 0..<2 { for device in devices + [late] { try await device.sync() } }
    let digests = try devices[0].digests
    for device in devices + [late] {
      if try device.digests != digests { isEqual = false }
      if try !device.isSound { isSound = false }
    }
    notes = try late.store.records("note").count
  }

  /// What half an answer brings.
  private static let passing: Set<SyncError.Code> = [.remoteProtocol, .remoteUnread]
}

import SyncKit

// What a remote is for: a new device that syncs with it alone gets what every device has.
extension SimulatedWorld {
  /// Lets a new device look at one of the remotes, in the end, without writing anything there; in one world of
  /// three, since it reads all that lies there.
  func checkNewcomer() async throws {
    // There such a device may rightly say that it cannot tell one branch from another.
    guard !plan.hasFewHashes else { return }
    var random = root.fork("newcomer")
    guard random.chance(33), let number = remoteNumbers.randomElement(using: &random),
      let known = devices.first(where: { $0.remotes.contains(number) })
    else { return }
    let newcomer = try SimulatedDevice(
      SimulationPlan.maximumReplicas, clock: DeviceClock(time, skew: 0),
      random: root.fork("newcomer's chance"), remotes: [number],
      storage: InMemoryStorage(fingerprint: "new disk"), witness: nil, parts: parts,
      versions: versions)
    for outcome in try await outcomes(newcomer, [number], .pullOnly) {
      guard let error = outcome.error else { continue }
      throw SimulationBreach("a new device cannot sync with r\(number + 1): \(error)")
    }
    let digests = Dictionary(
      uniqueKeysWithValues: try newcomer.store.verify().map { ($0.zone, $0.digest) })
    let open = try known.store.openZones()
    for zone in try known.store.verify() where open[zone.zone] == true && !zone.vector.isEmpty {
      guard digests[zone.zone] != zone.digest else { continue }
      throw SimulationBreach(
        "a new device gets from r\(number + 1) "
          + (digests[zone.zone] == nil
            ? "nothing of \(zone.zone)" : "something else in \(zone.zone)")
          + " than \(known.name) has")
    }
  }
}

import SyncKitModel

// A wrong clock cannot be corrected by order, since replicas have to agree without a clock. So it is said, by the
// clock of the reader: all devices show the same value, and each judges for itself whether a stamp is credible.

extension Stamp {
  /// Whether a time lies further in the future of `now` than a clock may run ahead: five minutes.
  public static func isAhead(_ milliseconds: Int64, of now: Int64) -> Bool {
    milliseconds > now &+ HybridClock.maximumLead
  }
}

extension Rules {
  /// Whether a register shows what it does only because of a stamp in the future.
  ///
  /// The register is read a second time as if such stamps were the oldest of all, the latest of them first.
  /// Where another value shows then, the stamp has decided; what no stamp decides, such as a greatest value,
  /// stays the same.
  package func isDecidedByWrongClock(
    _ register: Register, in collection: CollectionName, now: Int64
  ) -> Bool {
    var doubted = register
    for index in register.siblings.indices {
      let stamp = register.siblings[index].stamp
      guard Stamp.isAhead(stamp.milliseconds, of: now) else { continue }
      doubted.siblings[index].stamp = Stamp(time: (.max - stamp.time) >> 16, replica: stamp.replica)
    }
    return doubted != register
      && shown(doubted, in: collection) != shown(register, in: collection)
  }
}

import SyncKitFormats
public import SyncKit

/// What the rides of a device add up to on each day, for a rider's other devices.
///
/// A record has one month of one gear on one device: on each day the seconds, metres and number of rides,
/// those on a trainer apart. It says nothing of where and when on the day a ride was, and has no name. The
/// same rides are known on several devices, so for a month of a bike the device with the most hours counts
/// alone, and its own rides count where they are at least as many.
public enum RideTotals {
  /// The records that a device's rides add up to.
  ///
  /// - Parameters:
  ///   - rides: The rides of the device, each once.
  ///   - bikes: Which gear ids are one bike.
  ///   - device: The device's id.
  /// - Returns: Drafts for the synced store, with the same ids each time.
  public static func drafts(
    _ rides: some Sequence<Ride>, bikes: BikeNames, device: String
  ) -> [RecordDraft] {
    var months: [Month: [Day: Wear]] = [:]
    for ride in rides {
      guard let gear = ride.gear, let (month, day) = split(ride.start) else { continue }
      let key = Month(bike: bikes.bike(of: gear), month: month)
      months[key, default: [:]][Day(day: day, isIndoors: ride.isIndoors), default: Wear()] +=
        Wear(seconds: ride.seconds, metres: ride.metres, rides: 1)
    }
    return months.sorted { ($0.key.bike, $0.key.month) < ($1.key.bike, $1.key.month) }.map {
      key, days in
      let lines = days.sorted { ($0.key.day, $0.key.mark) < ($1.key.day, $1.key.mark) }.map {
        day, wear in
        "\(day.day)\(day.mark) \(wear.seconds) \(Int64(wear.metres.rounded())) \(wear.rides)"
      }
      return RecordDraft(
        .total, id: RecordID("\(key.bike)-\(key.month)-\(device)"),
        parent: .root(.bike, RecordID(key.bike)),
        fields: [
          "bikeId": .string(key.bike), "month": .string(key.month), "device": .string(device),
          "days": .list(lines.map { .string($0) }),
        ], weight: .touch)
    }
  }

  /// Rides for calculations: a device's own, and in their place the days of another device where that knows
  /// more of a month of a bike.
  static func joined(
    _ rides: [Ride], _ totals: [Record], bikes: BikeNames, device: String
  ) -> [Ride] {
    var best: [Month: (seconds: Int64, rides: [Ride])] = [:]
    for record in totals where !record.isDeleted && record["device"].string != device {
      guard let (key, days) = read(record, bikes) else { continue }
      let seconds = days.reduce(0) { $0 + $1.seconds }
      if seconds > best[key]?.seconds ?? -1 { best[key] = (seconds, days) }
    }
    guard !best.isEmpty else { return rides }
    var own: [Month: Int64] = [:]
    func key(_ ride: Ride) -> Month? {
      guard let gear = ride.gear, let (month, _) = split(ride.start) else { return nil }
      return Month(bike: bikes.bike(of: gear), month: month)
    }
    for ride in rides {
      if let key = key(ride) { own[key, default: 0] += ride.seconds }
    }
    let replaced = best.filter { $0.value.seconds > own[$0.key] ?? 0 }
    return rides.filter { key($0).map { replaced[$0] == nil } ?? true }
      + replaced.sorted { ($0.key.bike, $0.key.month) < ($1.key.bike, $1.key.month) }
      .flatMap(\.value.rides)
  }

  // MARK: Records

  private struct Month: Hashable {
    var bike: String
    /// Such as `2024-01`.
    var month: String
  }

  private struct Day: Hashable {
    var day: Int64
    var isIndoors: Bool
    var mark: String { isIndoors ? "i" : "" }
  }

  /// The month and the day of a time, in UTC.
  private static func split(_ time: Int64) -> (month: String, day: Int64)? {
    guard 0...Timestamp.latest ~= time else { return nil }
    let date = CivilDate(daysSince1970: time / 86_400_000)
    return (String(date.text.prefix(7)), date.day)
  }

  /// The rides that stand for a record's days: as many as there were, at noon, with equal shares.
  private static func read(_ record: Record, _ bikes: BikeNames) -> (Month, [Ride])? {
    guard let bike = record["bikeId"].string, let month = record["month"].string,
      let first = Timestamp.parse("\(month)-01"), case .list(let lines) = record["days"]
    else { return nil }
    var rides: [Ride] = []
    for line in lines.compactMap(\.string) {
      let parts = line.split(separator: " ")
      guard parts.count == 4, let seconds = Int64(parts[1]), let metres = Int64(parts[2]),
        let count = Int64(parts[3]), 1...1_000 ~= count, 0...Ride.longest ~= seconds, metres >= 0
      else { continue }
      let isIndoors = parts[0].hasSuffix("i")
      guard let day = Int64(isIndoors ? parts[0].dropLast() : parts[0]), 1...31 ~= day else {
        continue
      }
      let start = first + (day - 1) * 86_400_000 + 43_200_000
      for number in 0..<count {
        rides.append(
          Ride(
            id: "\(record.key.id)-\(parts[0])-\(number)", gear: bike, start: start,
            seconds: seconds / count + (number == 0 ? seconds % count : 0),
            metres: Double(metres) / Double(count), isIndoors: isIndoors, origin: .service))
      }
    }
    return (Month(bike: bikes.bike(of: bike), month: month), rides)
  }
}

extension SyncStore {
  /// Writes what a device's rides add up to, or takes it back.
  ///
  /// - Parameter drafts: The totals of this device; empty to take them all back.
  /// - Returns: The summary of the batch.
  /// - Throws: ``SyncKit/SyncError`` `store.disk-full` and the like.
  @discardableResult
  public func writeTotals(_ drafts: [RecordDraft]) throws -> BatchSummary {
    let known = try records(.total).filter { $0["device"].string == device.id }
    let kept = Set(drafts.compactMap(\.id))
    let stale = known.filter { !kept.contains($0.key.id) }
    guard !drafts.isEmpty || !stale.isEmpty else { return BatchSummary() }
    return try write { transaction in
      for draft in drafts { try transaction.save(draft) }
      for record in stale { try transaction.delete(record.key) }
    }.summary
  }
}

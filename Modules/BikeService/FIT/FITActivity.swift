/// The activities of a FIT file: one per session, or the sum of its records.
struct FITActivity {
  /// The sessions, in the order of the file.
  private(set) var sessions: [RecordedRide] = []

  /// Reads a whole file.
  ///
  /// - Throws: ``FITError`` with the place.
  init(_ bytes: [UInt8]) throws(FITError) {
    var reader = FITReader(bytes)
    var trace = Trace()
    var device: String?
    var laps = Lap()
    var total: Double?
    while let message = try reader.next() {
      switch message.kind {
      case .session: if let ride = Self.session(message) { sessions.append(ride) }
      case .lap: laps.add(message)
      case .record: trace.add(message)
      case .deviceInfo:
        // Of several devices, the first one made the recording.
        if device == nil { device = message[27]?.text }
      case .activity: total = message.scaled(0, by: 1000)
      case .fileID, nil: break
      }
    }
    if sessions.isEmpty, let ride = laps.ride(trace) ?? trace.ride(total) { sessions = [ride] }
    for index in sessions.indices { sessions[index].device = device }
  }

  private static func session(_ message: FITMessage) -> RecordedRide? {
    guard let start = message.time(2) ?? message.time(FITMessage.timestamp) else { return nil }
    var ride = RecordedRide(start: start)
    ride.elapsed = message.scaled(7, by: 1000)
    ride.moving = message.scaled(59, by: 1000) ?? message.scaled(8, by: 1000)
    ride.metres = message.scaled(9, by: 100)
    ride.ascent = message[22]?.number
    let sport = message[5]?.whole
    let subSport = message[6]?.whole
    ride.sport = sport.map { name(sport: $0, subSport: subSport) }
    ride.isIndoors = subSport == 5 || subSport == 6 || subSport == 58
    return ride
  }

  /// The sport in Strava's words, if it is one on a bike.
  private static func name(sport: Int64, subSport: Int64?) -> String {
    switch (sport, subSport) {
    case (2, 8), (2, 9): "MountainBikeRide"
    case (2, 46): "GravelRide"
    case (2, 58): "VirtualRide"
    case (2, 47), (21, 47), (21, 8): "EMountainBikeRide"
    case (2, 28), (21, _): "EBikeRide"
    case (2, _), (0, _): "Ride"
    case (1, _): "Run"
    default: "Sport \(sport)"
    }
  }

  /// The sum of laps.
  private struct Lap {
    var start: Int64?
    var elapsed = 0.0
    var moving = 0.0
    var metres = 0.0

    mutating func add(_ message: FITMessage) {
      start = start ?? message.time(2)
      elapsed += message.scaled(7, by: 1000) ?? 0
      moving += message.scaled(8, by: 1000) ?? 0
      metres += message.scaled(9, by: 100) ?? 0
    }

    func ride(_ trace: Trace) -> RecordedRide? {
      guard let start = start ?? trace.first, elapsed > 0 || metres > 0 else { return nil }
      var ride = RecordedRide(start: start)
      ride.elapsed = elapsed
      ride.moving = moving
      ride.metres = metres
      return ride
    }
  }

  /// The sum of records.
  private struct Trace {
    var first: Int64?
    var last: Int64?
    var metres: Double?
    var moving = 0.0

    mutating func add(_ message: FITMessage) {
      if let distance = message.scaled(5, by: 100) { metres = max(metres ?? 0, distance) }
      guard let time = message.time(FITMessage.timestamp) else { return }
      first = first ?? time
      if let last, time > last, time - last <= TrackMeter.longestGap {
        moving += Double(time - last) / 1000
      }
      last = max(last ?? time, time)
    }

    func ride(_ total: Double?) -> RecordedRide? {
      guard let first, let last else { return nil }
      var ride = RecordedRide(start: first)
      ride.elapsed = Double(last - first) / 1000
      ride.moving = total ?? moving
      ride.metres = metres
      return ride
    }
  }
}

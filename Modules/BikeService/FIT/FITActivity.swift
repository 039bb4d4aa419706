import SyncKitFormats

/// The activities of a FIT file: one per session, or the sum of its laps and records.
///
/// Of a damaged file, what is whole counts: a battery that went flat leaves records without an end.
struct FITActivity {
  /// The sessions, in the order of the file, and what could not be read.
  private(set) var recording = Recording()

  /// The sessions, in the order of the file.
  var sessions: [RecordedRide] { recording.rides }

  /// Reads a whole file.
  ///
  /// - Throws: ``FITError`` with the place when it is no FIT file, or is damaged and has nothing whole.
  init(_ bytes: [UInt8]) throws(FITError) {
    var reader = FITReader(bytes)
    var part = Part()
    var contents: [String] = []
    func finish(_ part: Part, _ recording: inout Recording) {
      if let content = part.content ?? part.undated {
        contents.append(content)
      } else {
        recording.rides += part.rides
      }
    }
    while let message = try reader.next() {
      if message.fileNumber != part.number {
        finish(part, &recording)
        part = Part(number: message.fileNumber)
      }
      part.add(message)
    }
    finish(part, &recording)
    recording.warnings += reader.damage.map { "the file is damaged (\($0)); what is whole is read" }
    if reader.extraCount > 0 {
      recording.warnings.append(
        "\(Plural(reader.extraCount, "byte")) behind the end of the file are not read")
    }
    guard recording.rides.isEmpty else { return }
    if let damage = reader.damage.first, contents.isEmpty { throw damage }
    recording.content = contents.first ?? "a file without an activity"
  }

  /// One of the files that follow one another in a chained one.
  private struct Part {
    var number = 0
    /// What it has, if no activity.
    var content: String?
    private var sessions: [RecordedRide] = []
    private var trace = Trace()
    private var laps = Lap()
    private var sport: Int64?
    private var subSport: Int64?
    private var device: String?
    private var total: Double?
    private var hasRecords = false

    init(number: Int = 0) { self.number = number }

    mutating func add(_ message: FITMessage) {
      switch message.kind {
      case .fileID:
        if let kind = message[0]?.whole { content = content ?? FITFileKind.content(of: kind) }
      case .session: addSession(message)
      case .lap: laps.add(message)
      case .record:
        hasRecords = true
        trace.add(message)
      case .sport:
        sport = message[0]?.whole ?? sport
        subSport = message[1]?.whole ?? subSport
      case .deviceInfo:
        // Of several devices, the first one made the recording.
        if device == nil { device = message[27]?.text }
      case .activity: total = message.scaled(0, by: 1000)
      case nil: break
      }
    }

    /// What a recording is of which no message has a date, as of a device whose clock was never set.
    var undated: String? {
      hasRecords && sessions.isEmpty && laps.start == nil && trace.first == nil
        ? "a recording without dates" : nil
    }

    private mutating func addSession(_ message: FITMessage) {
      guard let start = message.time(2) ?? message.time(FITMessage.timestamp) else { return }
      var ride = RecordedRide(start: start)
      ride.elapsed = message.scaled(7, by: 1000)
      ride.timer = message.scaled(8, by: 1000)
      let moving = message.scaled(59, by: 1000).flatMap { $0 > 0 ? $0 : nil }
      ride.moving = moving ?? ride.timer
      ride.metres = message.scaled(9, by: 100)
      ride.ascent = message[22]?.number
      let subSport = message[6]?.whole
      ride.type = message[5]?.whole.map { FITSport.name($0, subSport) }
      ride.isIndoors = FITSport.isIndoors(subSport)
      sessions.append(ride)
    }

    /// The rides: those of the sessions, each with what it lacks from its records; else the sum.
    var rides: [RecordedRide] {
      var rides = sessions
      for index in rides.indices { trace.complete(&rides[index], isOnly: rides.count == 1) }
      if rides.isEmpty, var ride = wholeRide {
        let sport = laps.sport ?? sport
        ride.type = sport.map { FITSport.name($0, laps.subSport ?? subSport) }
        ride.isIndoors = FITSport.isIndoors(laps.subSport ?? subSport)
        rides = [ride]
      }
      for index in rides.indices {
        rides[index].device = device
        rides[index].settle()
      }
      return rides
    }

    /// The sum of laps, or of records where they reach further than the laps, as when a device went
    /// dark in the middle of one.
    private var wholeRide: RecordedRide? {
      let recorded = trace.ride(total)
      guard let ride = laps.ride(trace) else { return recorded }
      guard let recorded, (recorded.metres ?? 0) > (ride.metres ?? 0) * 1.01 else { return ride }
      return recorded
    }
  }

  /// The sum of laps.
  private struct Lap {
    var start: Int64?
    var elapsed = 0.0
    var moving = 0.0
    var metres = 0.0
    var sport: Int64?
    var subSport: Int64?

    mutating func add(_ message: FITMessage) {
      start = start ?? message.time(2)
      elapsed += message.scaled(7, by: 1000) ?? 0
      moving += message.scaled(8, by: 1000) ?? 0
      metres += message.scaled(9, by: 100) ?? 0
      sport = sport ?? message[25]?.whole
      subSport = subSport ?? message[39]?.whole
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

  /// The records.
  private struct Trace {
    private var points: [TrackMeter.Point] = []

    var first: Int64? { points.first?.time }

    mutating func add(_ message: FITMessage) {
      guard let time = message.time(FITMessage.timestamp) else { return }
      // Positions are in parts of half a circle.
      let half = 180 / 2_147_483_648.0
      points.append(
        TrackMeter.Point(
          time: time, latitude: message[0]?.number.map { $0 * half },
          longitude: message[1]?.number.map { $0 * half }, distance: message.scaled(5, by: 100)))
    }

    /// Fills in what a session does not say.
    func complete(_ ride: inout RecordedRide, isOnly: Bool) {
      guard ride.metres == nil || ride.moving == nil || ride.elapsed == nil else { return }
      let end = ride.elapsed.map { ride.start + Int64(($0 * 1000).rounded(.up)) } ?? .max
      let own = points.filter { point in
        isOnly || point.time.map { ride.start...max(end, ride.start) ~= $0 } ?? false
      }
      let sums = Self.sums(own)
      if ride.metres == nil, sums.metres > 0 { ride.metres = sums.metres }
      guard own.count > 1 else { return }
      if ride.moving == nil { ride.moving = min(sums.moving, ride.elapsed ?? .infinity) }
      if ride.elapsed == nil { ride.elapsed = sums.elapsed }
    }

    func ride(_ total: Double?) -> RecordedRide? {
      guard let first else { return nil }
      let sums = Self.sums(points)
      var ride = RecordedRide(start: first)
      ride.elapsed = sums.elapsed
      ride.timer = total
      ride.moving = total ?? sums.moving
      ride.metres = sums.hasMetres ? sums.metres : nil
      return ride
    }

    /// The sums of points; a step of which nothing but the time is known counts up to a minute.
    private static func sums(
      _ points: [TrackMeter.Point]
    ) -> (elapsed: Double, moving: Double, metres: Double, hasMetres: Bool) {
      var meter = TrackMeter()
      for point in points { meter.add(point) }
      let hasMetres = points.contains { $0.distance != nil || $0.latitude != nil }
      guard !hasMetres else { return (meter.elapsed, meter.moving, meter.metres, true) }
      var moving = 0.0
      for (before, after) in zip(points, points.dropFirst()) {
        guard let from = before.time, let to = after.time, 1...60_000 ~= to - from else { continue }
        moving += Double(to - from) / 1000
      }
      return (meter.elapsed, moving, 0, false)
    }
  }
}

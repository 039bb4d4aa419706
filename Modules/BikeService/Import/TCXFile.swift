import SyncKitFormats

/// Reads activities of Garmin's Training Center XML: each activity is a ride, its laps added up.
///
/// Distance and time come from the laps. The moving time is that of the laps without the time at rest that
/// the track shows beyond the pauses which the laps leave out already; without laps it is the track's.
///
/// Source: [TCX schema, version 2](https://www8.garmin.com/xmlschemas/TrainingCenterDatabasev2.xsd).
enum TCXFile {
  /// The rides of a file.
  ///
  /// Of a file that breaks off, what came before counts.
  static func read(_ bytes: [UInt8], _ time: RecordingTime) throws -> Recording {
    let activities = Activities(time)
    do { try walkXML(bytes, start: activities.start, end: activities.end) } catch let error
      as XMLError
    {
      activities.finish()
      guard !activities.recording.rides.isEmpty else { throw error }
      activities.recording.warnings.append(
        "the file is damaged (\(error)); what comes before is read")
    }
    var recording = activities.recording
    if recording.rides.isEmpty {
      recording.content = activities.hasCourse ? "a course" : "a file without activities"
    }
    return recording
  }

  private final class Activities {
    var recording = Recording()
    var hasCourse = false
    private let clock: RecordingTime
    private var isInActivity = false
    private var sport: String?
    private var start: Int64?
    private var seconds = 0.0
    private var metres = 0.0
    private var device: String?
    private var meter = TrackMeter()
    private var point = TrackMeter.Point()

    init(_ clock: RecordingTime) { self.clock = clock }

    func start(_ path: [String], _ attributes: XMLAttributes) {
      switch path.last {
      case "Activity":
        sport = attributes["Sport"]
        (start, seconds, metres, device, isInActivity) = (nil, 0, 0, nil, true)
        meter = TrackMeter()
      case "Course": hasCourse = true
      case "Lap":
        if start == nil { start = attributes["StartTime"].flatMap(clock.parse) }
      case "Trackpoint": point = TrackMeter.Point()
      default: break
      }
    }

    func end(_ path: [String], _ text: String) {
      guard isInActivity else { return }
      let parent = path.count > 1 ? path[path.count - 2] : ""
      switch (parent, path.last) {
      case ("Activity", "Id"): if let time = clock.parse(text) { start = start ?? time }
      case ("Lap", "TotalTimeSeconds"): seconds += Self.amount(text)
      case ("Lap", "DistanceMeters"): metres += Self.amount(text)
      case ("Trackpoint", "Time"): point.time = clock.parse(text)
      case ("Trackpoint", "DistanceMeters"): point.distance = Double(text)
      case ("Trackpoint", "AltitudeMeters"): point.altitude = Double(text)
      case ("Position", "LatitudeDegrees"): point.latitude = Double(text)
      case ("Position", "LongitudeDegrees"): point.longitude = Double(text)
      case (_, "Trackpoint"): meter.add(point)
      case ("Creator", "Name"): device = text.isEmpty ? nil : text
      case (_, "Activity"): finish()
      default: break
      }
    }

    func finish() {
      guard isInActivity else { return }
      isInActivity = false
      guard let start = start ?? meter.first else { return }
      var ride = RecordedRide(start: start)
      ride.elapsed = max(meter.elapsed, seconds)
      ride.timer = seconds > 0 ? seconds : nil
      if seconds > 0 {
        let pauses = max(0, meter.elapsed - seconds)
        ride.moving = max(0, seconds - max(0, meter.standing - pauses))
      } else {
        ride.moving = meter.moving
      }
      ride.metres = metres > 0 ? metres : meter.metres
      ride.ascent = meter.ascent
      ride.device = device
      ride.type = sport
      ride.settle()
      recording.rides.append(ride)
    }

    private static func amount(_ text: String) -> Double {
      guard let number = Double(text), number.isFinite, number > 0 else { return 0 }
      return number
    }
  }
}

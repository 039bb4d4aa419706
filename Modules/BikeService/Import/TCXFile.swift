import SyncKitFormats

/// Reads activities of Garmin's Training Center XML: each activity is a ride, its laps added up.
///
/// Source: [TCX schema, version 2](https://www8.garmin.com/xmlschemas/TrainingCenterDatabasev2.xsd).
enum TCXFile {
  /// The rides of a file.
  static func rides(_ bytes: [UInt8]) throws -> [RecordedRide] {
    let activities = Activities()
    try walkXML(bytes, start: activities.start, end: activities.end)
    return activities.rides
  }

  private final class Activities {
    var rides: [RecordedRide] = []
    private var sport: String?
    private var start: Int64?
    private var seconds = 0.0
    private var metres = 0.0
    private var device: String?
    private var meter = TrackMeter()
    private var time: Int64?
    private var latitude: Double?
    private var longitude: Double?

    func start(_ path: [String], _ attributes: XMLAttributes) {
      switch path.last {
      case "Activity":
        sport = attributes["Sport"]
        (start, seconds, metres, device) = (nil, 0, 0, nil)
        meter = TrackMeter()
      case "Lap":
        if start == nil { start = attributes["StartTime"].flatMap(Timestamp.parse) }
        meter.breakOff()
      case "Trackpoint": (time, latitude, longitude) = (nil, nil, nil)
      default: break
      }
    }

    func end(_ path: [String], _ text: String) {
      let parent = path.count > 1 ? path[path.count - 2] : ""
      switch (parent, path.last) {
      case ("Activity", "Id"): if let time = Timestamp.parse(text) { start = start ?? time }
      case ("Lap", "TotalTimeSeconds"): seconds += Self.amount(text)
      case ("Lap", "DistanceMeters"): metres += Self.amount(text)
      case ("Trackpoint", "Time"): time = Timestamp.parse(text)
      case ("Position", "LatitudeDegrees"): latitude = Double(text)
      case ("Position", "LongitudeDegrees"): longitude = Double(text)
      case (_, "Trackpoint"): meter.add(time: time, latitude: latitude, longitude: longitude)
      case ("Creator", "Name"): device = text.isEmpty ? nil : text
      case (_, "Activity"): finish()
      default: break
      }
    }

    private func finish() {
      guard let start = start ?? meter.first else { return }
      var ride = RecordedRide(start: start)
      if let first = meter.first, let last = meter.last {
        ride.elapsed = max(Double(last - first) / 1000, seconds)
      } else {
        ride.elapsed = seconds
      }
      ride.moving = meter.moving > 0 ? meter.moving : seconds
      ride.metres = metres > 0 ? metres : meter.metres
      ride.device = device
      ride.sport = sport.flatMap { name in
        switch name {
        case "Biking": "Ride"
        case "Running": "Run"
        default: nil
        }
      }
      rides.append(ride)
    }

    private static func amount(_ text: String) -> Double {
      guard let number = Double(text), number.isFinite, number > 0 else { return 0 }
      return number
    }
  }
}

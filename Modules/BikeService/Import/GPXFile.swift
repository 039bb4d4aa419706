import SyncKitFormats

/// Reads tracks of GPX, versions 1.0 and 1.1: each track is a ride.
///
/// Source: [GPX 1.1](https://www.topografix.com/GPX/1/1/).
enum GPXFile {
  /// The rides of a file; tracks without times are not rides.
  static func rides(_ bytes: [UInt8]) throws -> [RecordedRide] {
    let tracks = Tracks()
    try walkXML(bytes, start: tracks.start, end: tracks.end)
    return tracks.rides
  }

  private final class Tracks {
    var rides: [RecordedRide] = []
    private var meter = TrackMeter()
    private var name: String?
    private var type: String?
    private var creator: String?
    private var point: (latitude: Double?, longitude: Double?, time: Int64?) = (nil, nil, nil)

    func start(_ path: [String], _ attributes: XMLAttributes) {
      switch path.last {
      case "gpx": creator = attributes["creator"]
      case "trk":
        meter = TrackMeter()
        name = nil
        type = nil
      case "trkseg": meter.breakOff()
      case "trkpt":
        point = (
          attributes["lat"].flatMap(Double.init), attributes["lon"].flatMap(Double.init), nil
        )
      default: break
      }
    }

    func end(_ path: [String], _ text: String) {
      let parent = path.count > 1 ? path[path.count - 2] : ""
      switch (parent, path.last) {
      case ("trkpt", "time"): point.time = Timestamp.parse(text)
      case (_, "trkpt"):
        meter.add(time: point.time, latitude: point.latitude, longitude: point.longitude)
      case ("trk", "name"): name = text.isEmpty ? nil : text
      case ("trk", "type"): type = text.isEmpty ? nil : text
      case (_, "trk"): finish()
      default: break
      }
    }

    private func finish() {
      guard let first = meter.first, let last = meter.last else { return }
      var ride = RecordedRide(start: first)
      ride.elapsed = Double(last - first) / 1000
      ride.moving = meter.moving
      ride.metres = meter.metres
      ride.name = name
      ride.device = creator
      ride.sport = type.flatMap(Self.sport)
      rides.append(ride)
    }

    /// The sport of a track's type, which may be a word or a number of Strava's; nil when unknown.
    private static func sport(_ type: String) -> String? {
      switch type {
      case "1": "Ride"
      case "9": "Run"
      case "4": "Hike"
      case "10": "Walk"
      default:
        SportType.isRide(type) || SportType.isKnownOther(type)
          ? String(type.filter { $0 != " " }) : nil
      }
    }
  }
}

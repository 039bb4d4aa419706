import SyncKitFormats

/// Reads tracks of GPX, versions 1.0 and 1.1: each track is a ride.
///
/// Source: [GPX 1.1](https://www.topografix.com/GPX/1/1/).
enum GPXFile {
  /// The rides of a file; tracks without times are not rides.
  ///
  /// Of a file that breaks off, what came before counts.
  static func read(_ bytes: [UInt8], _ time: RecordingTime) throws -> Recording {
    let tracks = Tracks(time)
    do { try walkXML(bytes, start: tracks.start, end: tracks.end) } catch let error as XMLError {
      tracks.finishTrack()
      guard !tracks.recording.rides.isEmpty else { throw error }
      tracks.recording.warnings.append("the file is damaged (\(error)); what comes before is read")
    }
    return tracks.result
  }

  private final class Tracks {
    var recording = Recording()
    private let time: RecordingTime
    private var meter = TrackMeter()
    private var isInTrack = false
    private var pointCount = 0
    private var untimed = 0
    private var hasRoute = false
    private var name: String?
    private var type: String?
    private var creator: String?
    private var point = TrackMeter.Point()

    init(_ time: RecordingTime) { self.time = time }

    func start(_ path: [String], _ attributes: XMLAttributes) {
      switch path.last {
      case "gpx": creator = attributes["creator"]
      case "trk":
        meter = TrackMeter()
        (name, type, pointCount, isInTrack) = (nil, nil, 0, true)
      case "trkseg": meter.breakOff()
      case "trkpt":
        pointCount += 1
        point = TrackMeter.Point(
          latitude: attributes["lat"].flatMap(Double.init),
          longitude: attributes["lon"].flatMap(Double.init))
      case "rtept": hasRoute = true
      default: break
      }
    }

    func end(_ path: [String], _ text: String) {
      let parent = path.count > 1 ? path[path.count - 2] : ""
      switch (parent, path.last) {
      case ("trkpt", "time"): point.time = time.parse(text)
      case ("trkpt", "ele"): point.altitude = Double(text)
      case (_, "trkpt"): meter.add(point)
      case ("trk", "name"): name = text.isEmpty ? nil : text
      case ("trk", "type"): type = text.isEmpty ? nil : text
      case (_, "trk"): finishTrack()
      default: break
      }
    }

    func finishTrack() {
      guard isInTrack else { return }
      isInTrack = false
      guard let first = meter.first else {
        if pointCount > 0 { untimed += 1 }
        return
      }
      var ride = RecordedRide(start: first)
      ride.elapsed = meter.elapsed
      ride.moving = meter.moving
      ride.metres = meter.metres
      ride.ascent = meter.ascent
      ride.name = name
      ride.device = creator
      ride.type = type
      ride.settle()
      recording.rides.append(ride)
    }

    var result: Recording {
      var result = recording
      if result.rides.isEmpty {
        result.content =
          untimed > 0 ? "a track without times" : hasRoute ? "a route" : "a file without tracks"
      } else if untimed > 0 {
        result.warnings.append(
          "\(Plural(untimed, "track")) without times beside those with times cannot be counted")
      }
      return result
    }
  }
}

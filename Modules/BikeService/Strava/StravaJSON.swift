import SyncKitFormats
import SyncKit

/// Makes records from Strava's JSON.
///
/// Only the id and, of an activity, the date must be there; whatever else is missing or of another
/// type is left out. One activity that cannot be read never fails the page it is on.
enum StravaJSON {
  /// An id, as a number of any size or a text; nil for anything else.
  static func id(_ json: JSON?) -> String? {
    switch json {
    case .int(let number): "\(number)"
    case .string(let text) where !text.trimmed.isEmpty && text.utf8.count <= 100: text.trimmed
    default: nil
    }
  }

  /// What an activity is.
  enum Activity {
    /// A ride, and a sentence for each value of it that cannot be.
    case ride(RecordDraft, doubts: [String])
    /// Another sport.
    case other
    /// An activity of a type that is not known.
    case unknown(String)
  }

  /// The record of an activity.
  ///
  /// Strava adds kinds of sports; where one is not known, the older and coarser type of the activity says
  /// whether it is a ride.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when it has no id or no date.
  static func activity(_ json: JSON) throws -> Activity {
    let type = json["sport_type"]?.string ?? json["type"]?.string
    var kind: String?
    if let type {
      switch SportType.meaning(of: type) {
      case .other: return .other
      case .ride(let name, _): kind = name
      case .unknown:
        guard let coarse = json["type"]?.string,
          case .ride(let name, _) = SportType.meaning(of: coarse)
        else {
          let coarse = json["type"]?.string.map { SportType.meaning(of: $0) }
          return coarse == .other ? .other : .unknown(type)
        }
        kind = name
      }
    }
    guard let id = id(json["id"]) else {
      throw SyncError(.inputInvalid, "an activity has no id")
    }
    guard let date = json["start_date"]?.string.flatMap(Timestamp.parse) else {
      throw SyncError(.inputInvalid, "the activity \(id) has no date")
    }
    // Every field is written, so that a field unset there is unset here.
    let fields: [FieldName: Value] = [
      "gearId": text(Self.id(json["gear_id"])), "name": text(json["name"]?.string),
      "type": text(json["type"]?.string), "sportType": text(kind),
      "startDate": .instant(date), "movingTime": seconds(json["moving_time"]),
      "elapsedTime": seconds(json["elapsed_time"]), "distance": metres(json["distance"]),
      "averageSpeed": metres(json["average_speed"]),
      "elevationGain": metres(json["total_elevation_gain"]), "trainer": flag(json["trainer"]),
      "commute": flag(json["commute"]), "manual": flag(json["manual"]),
      "device": text(json["device_name"]?.string),
      "uploadId": text(json["upload_id_str"]?.string ?? Self.id(json["upload_id"])),
      "source": "strava",
    ]
    var doubts: [String] = []
    for (key, name, words) in [
      ("moving_time", "movingTime", "moving time"), ("elapsed_time", "elapsedTime", "time"),
      ("distance", "distance", "distance"),
    ] as [(String, FieldName, String)] {
      guard let value = json[key], !value.isNull, fields[name] == .null else { continue }
      doubts.append("the activity \(id) has no plausible \(words); it was left out")
    }
    return .ride(RecordDraft(.activity, id: RecordID(id), fields: fields), doubts: doubts)
  }

  /// The record of a bike; nil for shoes, whose ids begin with `g`.
  static func gear(_ json: JSON) -> RecordDraft? {
    guard let id = id(json["id"]), !id.hasPrefix("g") else { return nil }
    var fields: [FieldName: Value] = [
      "name": text(json["name"]?.string ?? json["nickname"]?.string),
      "distance": total(json["distance"]), "source": "strava",
    ]
    // The short form omits these, which does not mean that they are unset.
    if let retired = json["retired"]?.bool { fields["retired"] = retired ? true : .null }
    for (key, name) in [("brand_name", "brand"), ("model_name", "model")] as [(String, FieldName)] {
      if let value = json[key]?.string { fields[name] = text(value) }
    }
    if let type = json["frame_type"]?.int { fields["frameType"] = .int(type) }
    return RecordDraft(.gear, id: RecordID(id), fields: fields)
  }

  /// The record of the rider.
  static func athlete(_ json: JSON) -> RecordDraft? {
    guard let id = id(json["id"]) else { return nil }
    return RecordDraft(
      .athlete, id: RecordID(id),
      fields: [
        "firstname": text(json["firstname"]?.string), "profile": text(json["profile"]?.string),
      ])
  }

  private static func text(_ text: String?) -> Value {
    guard let text, !text.trimmed.isEmpty, text.utf8.count <= 10_000 else { return .null }
    return .string(text)
  }

  private static func seconds(_ json: JSON?) -> Value {
    guard let number = json?.double, let whole = Int64(whole: number), 0...Ride.longest ~= whole
    else { return .null }
    return .int(whole)
  }

  private static func metres(_ json: JSON?) -> Value {
    guard let number = json?.double, number.isFinite, 0...RecordedRide.farthest ~= number else {
      return .null
    }
    return .double(number)
  }

  /// The metres of a bike's whole life.
  private static func total(_ json: JSON?) -> Value {
    guard let number = json?.double, number.isFinite, 0...1e10 ~= number else { return .null }
    return .double(number)
  }

  private static func flag(_ json: JSON?) -> Value { json?.bool == true ? true : .null }
}

/// Which activities are rides on a bike.
///
/// Strava's list of activities has no filter for this, so runs arrive too, with shoes as their gear.
/// All rides count, those with a motor and those on a trainer included: they wear the parts.
public enum SportType {
  /// Whether an activity of this type is a ride.
  public static func isRide(_ type: String) -> Bool { rides.contains(key(type)) }

  /// Whether such a ride takes place indoors.
  static func isIndoors(_ type: String) -> Bool { key(type) == "virtualride" }

  /// The type without blanks and case, as in `Mountain Bike Ride` of an export.
  private static func key(_ type: String) -> String {
    String(type.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" })
  }

  private static let rides: Set<String> = [
    "ride", "mountainbikeride", "gravelride", "ebikeride", "emountainbikeride", "virtualride",
    "velomobile", "handcycle", "cycling", "biking", "bike",
  ]
}

extension SportType {
  /// Whether a type is known not to be a ride.
  static func isKnownOther(_ type: String) -> Bool {
    let name = String(type.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" })
    return others.contains(name)
  }

  private static let others: Set<String> = [
    "run", "trailrun", "virtualrun", "walk", "hike", "swim", "alpineski", "backcountryski",
    "nordicski", "snowboard", "snowshoe", "rollerski", "iceskate", "inlineskate", "skateboard",
    "rowing", "virtualrow", "canoeing", "kayaking", "standuppaddling", "surfing", "kitesurf",
    "windsurf", "sail", "golf", "soccer", "tennis", "badminton", "squash", "racquetball",
    "tabletennis", "pickleball", "rockclimbing", "elliptical", "stairstepper", "crossfit",
    "weighttraining", "workout", "yoga", "pilates", "highintensityintervaltraining",
    "physicaltherapy", "wheelchair", "running", "walking", "hiking", "swimming", "other",
  ]
}

/// What a FIT file is for, by the number in its first message.
///
/// A device's memory has many kinds beside one another. Source: the FIT profile, type `file`.
enum FITFileKind {
  /// The content in words; nil for a kind that may have rides.
  static func content(of number: Int64) -> String? {
    switch number {
    case 1: "a device's description"
    case 2: "a settings file"
    case 3: "settings of a sport"
    case 5: "a workout"
    case 6: "a course"
    case 7: "a schedule"
    case 9: "a file of weights"
    case 10: "a file of totals"
    case 11: "a file of goals"
    case 14: "a file of blood pressures"
    case 15, 28, 32: "a monitoring file"
    case 34, 35: "segments"
    case 40: "settings of a display"
    default: nil
    }
  }
}

/// The sports of the FIT profile in Strava's words where there is one, else in those of the profile.
enum FITSport {
  /// The name of a sport with its kind.
  static func name(_ sport: Int64, _ subSport: Int64?) -> String {
    switch (sport, subSport) {
    case (2, 8), (2, 9): "MountainBikeRide"
    case (2, 12): "Handcycle"
    case (2, 46): "GravelRide"
    case (2, 58): "VirtualRide"
    case (2, 47), (21, 47), (21, 8), (21, 9): "EMountainBikeRide"
    case (2, 28), (21, _): "EBikeRide"
    case (2, _), (4, 5), (4, 6), (0, 5), (0, 6): "Ride"
    // Devices leave the sport open and name only its kind.
    case (0, 7), (0, 11), (0, 13), (0, 29): "Ride"
    case (0, 8), (0, 9): "MountainBikeRide"
    case (0, 28): "EBikeRide"
    case (0, 46): "GravelRide"
    case (0, 47): "EMountainBikeRide"
    default: names[sport] ?? "sport \(sport)"
    }
  }

  /// Whether a kind of cycling is indoors: spinning, on a trainer, virtual.
  static func isIndoors(_ subSport: Int64?) -> Bool {
    subSport == 5 || subSport == 6 || subSport == 58
  }

  private static let names: [Int64: String] = [
    0: "generic", 1: "Run", 3: "transition", 4: "fitness equipment", 5: "Swim", 6: "basketball",
    7: "Soccer", 8: "Tennis", 9: "football", 10: "training", 11: "Walk", 12: "NordicSki",
    13: "AlpineSki", 14: "Snowboard", 15: "Rowing", 16: "mountaineering", 17: "Hike",
    18: "multisport", 19: "paddling", 20: "flying", 22: "motorcycling", 23: "boating",
    24: "driving",
    25: "Golf", 26: "hang gliding", 27: "horseback riding", 28: "hunting", 29: "fishing",
    30: "InlineSkate", 31: "RockClimbing", 32: "Sail", 33: "IceSkate", 34: "sky diving",
    35: "Snowshoe", 36: "snowmobiling", 37: "StandUpPaddling", 38: "Surfing", 39: "wakeboarding",
    40: "water skiing", 41: "Kayaking", 42: "rafting", 43: "Windsurf", 44: "Kitesurf", 47: "boxing",
    53: "diving", 62: "HIIT", 254: "all",
  ]
}

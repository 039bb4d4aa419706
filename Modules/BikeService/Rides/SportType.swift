/// Which activities are rides on a bike, by the name that an export or a recording gives them.
///
/// Strava's list of activities has no filter for this, so runs arrive too, with shoes as their gear.
/// All rides count, those with a motor and those on a trainer included: they wear the parts.
///
/// A name is in the language of the account that the export comes from, or in the words of the device or
/// the app that wrote the recording. A name that is not known is neither a ride nor none.
public enum SportType {
  /// What a name says.
  public enum Meaning: Sendable, Equatable {
    /// A ride, with its kind in Strava's words, such as `EBikeRide`.
    case ride(String, isIndoors: Bool)
    /// Another sport.
    case other
    /// Nobody knows.
    case unknown
  }

  /// Whether an activity of this type is a ride.
  public static func isRide(_ type: String) -> Bool {
    if case .ride = meaning(of: type) { true } else { false }
  }

  /// Whether such a ride takes place indoors.
  static func isIndoors(_ type: String) -> Bool {
    if case .ride(_, let isIndoors) = meaning(of: type) { isIndoors } else { false }
  }

  /// What the name of a sport says, whatever its case and what stands between its words.
  public static func meaning(of name: String) -> Meaning {
    if let kind = strava[name] { return .ride(kind, isIndoors: kind == "VirtualRide") }
    let words = SportWords(name)
    if let kind = strava[words.joined] { return .ride(kind, isIndoors: kind == "VirtualRide") }
    if let number = numbers[words.joined] { return number }
    if SportWords.others.contains(words.joined) || words.isOfMotors { return .other }
    guard words.isOfBikes else { return .unknown }
    let isIndoors = words.isVirtual || words.isIndoors
    if words.isHandBike { return .ride("Handcycle", isIndoors: isIndoors) }
    if words.isVelomobile { return .ride("Velomobile", isIndoors: isIndoors) }
    if words.isElectric {
      return .ride(words.isOfMountains ? "EMountainBikeRide" : "EBikeRide", isIndoors: isIndoors)
    }
    if words.isVirtual { return .ride("VirtualRide", isIndoors: true) }
    if words.isOfGravel { return .ride("GravelRide", isIndoors: isIndoors) }
    if words.isOfMountains { return .ride("MountainBikeRide", isIndoors: isIndoors) }
    return .ride("Ride", isIndoors: isIndoors)
  }

  /// Strava's own words, as they are and in lower case.
  private static let strava: [String: String] = {
    var kinds: [String: String] = [:]
    for kind in [
      "Ride", "MountainBikeRide", "GravelRide", "EBikeRide", "EMountainBikeRide", "VirtualRide",
      "Velomobile", "Handcycle",
    ] {
      kinds[kind] = kind
      kinds[kind.lowercased()] = kind
    }
    return kinds
  }()

  /// The numbers in the GPX files that Strava writes.
  private static let numbers: [String: Meaning] = {
    var numbers: [String: Meaning] = [
      "1": .ride("Ride", isIndoors: false), "17": .ride("VirtualRide", isIndoors: true),
      "18": .ride("EBikeRide", isIndoors: false), "19": .ride("Velomobile", isIndoors: false),
    ]
    for number in Array(2...16) + Array(21...31) { numbers["\(number)"] = .other }
    return numbers
  }()
}

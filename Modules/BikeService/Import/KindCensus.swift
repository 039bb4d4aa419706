import SyncKitFormats
import SyncKit

/// What became of the activities of an import, counted by the names of their types.
public struct KindCensus: Sendable {
  /// Rides by their kinds in Strava's words.
  public private(set) var rides: [String: Int] = [:]
  /// Other sports, by the names that the files give them.
  public private(set) var others: [String: Int] = [:]
  /// Activities of types that are not known, by the names that the files give them.
  public private(set) var unknown: [String: Int] = [:]
  /// Recordings in which nothing was ridden.
  public private(set) var empty = 0
  /// Files that are no recordings, by what they are.
  public private(set) var contents: [String: Int] = [:]

  /// Meanings that were found before: a name comes thousands of times.
  private var known: [String: SportType.Meaning] = [:]

  /// Counts nothing yet.
  init() {}

  /// The number of activities that are left out.
  public var leftOut: Int {
    others.values.reduce(0, +) + unknown.values.reduce(0, +) + empty
  }

  /// Counts an activity by the name of its type.
  ///
  /// - Parameters:
  ///   - type: The name; empty when there is none.
  ///   - options: What the caller says of names.
  ///   - isKnownBike: Whether its gear is known to be a bike, so that it is a ride whatever it is called.
  /// - Returns: The kind of the ride in Strava's words; nil when the activity is left out.
  mutating func ride(
    _ type: String, _ options: RideImport.Options, isKnownBike: Bool = false
  ) -> (kind: String, isIndoors: Bool)? {
    let chosen = options.types[type.folded] ?? type
    let meaning = known[chosen] ?? SportType.meaning(of: chosen)
    known[chosen] = meaning
    switch meaning {
    case .ride(let kind, let isIndoors):
      rides[kind, default: 0] += 1
      return (kind, isIndoors)
    case .other:
      others[type, default: 0] += 1
      return nil
    case .unknown:
      guard isKnownBike || options.takesUnknown else {
        unknown[type, default: 0] += 1
        return nil
      }
      rides["Ride", default: 0] += 1
      return ("Ride", false)
    }
  }

  /// Counts a recording in which nothing was ridden.
  mutating func addEmpty() { empty += 1 }

  /// Counts a file that is no recording.
  mutating func add(content: String) { contents[content, default: 0] += 1 }

  /// Counts as in `Run 40, Swim 2`, the most frequent first.
  public static func text(_ counts: [String: Int]) -> String {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { name, count in
      "\(name.isEmpty ? "without a type" : DisplayWidth.sanitized(name)) \(count)"
    }.joined(separator: ", ")
  }

  /// What was left out, by the reason and the name of the type.
  var passedOver: [ImportedRecords.PassedOver] {
    func sorted(_ counts: [String: Int], _ reason: String) -> [ImportedRecords.PassedOver] {
      counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { name, count in
        .init(kind: "\(name.isEmpty ? "without a type" : name), \(reason)", count: count)
      }
    }
    return sorted(others, "no ride") + sorted(unknown, "not known as a ride")
      + (empty > 0 ? [.init(kind: "nothing ridden", count: empty)] : [])
      + sorted(contents, "no recording")
  }

  /// A sentence for each group that was left out, without full stops.
  public var notes: [String] {
    var notes: [String] = []
    if !others.isEmpty {
      notes.append("left out, as they are no rides: \(Self.text(others))")
    }
    if !unknown.isEmpty {
      notes.append(
        "left out, as it is not known whether they are rides: \(Self.text(unknown));"
          + " --type NAME=Ride takes those of a name, --as-ride takes all")
    }
    if empty > 0 {
      notes.append(
        "left out, as nothing was ridden: \(Plural(empty, "recording"))")
    }
    if !contents.isEmpty {
      notes.append("passed over, as they are no recordings: \(Self.text(contents))")
    }
    return notes
  }
}

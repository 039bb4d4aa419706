public import SyncKit

/// A rider's bikes with all their data at one moment, from both stores.
///
/// An interval refers to its bike by id alone; the garage joins them and shows which are missing.
public struct Garage: Sendable {
  /// The data of a bike.
  public struct Bike: Sendable, Equatable {
    /// Its gear id.
    public var id: String
    /// Its name: the rider's, else Strava's; nil when neither is here.
    public var name: String?
    /// Whether there is a record of it in either store.
    public var standing: Standing
    /// Its kind.
    public var kind: BikeKind
    /// Further gear ids whose rides count.
    public var gears: [String]
  }

  /// Whether a bike is here.
  public enum Standing: String, Sendable {
    /// It is.
    case here
    /// Something refers to it, and its record is not on this device.
    case missing
    /// Its record was deleted, while something refers to it.
    case deleted
    /// It is no longer ridden.
    case retired
  }

  /// A part of a bike.
  public struct Component: Sendable {
    /// Its record.
    public var record: Record
    /// Its name.
    public var name: String
  }

  /// The bikes by their ids: all that have a record in either store, or that an interval names.
  public private(set) var bikes: [String: Bike] = [:]
  /// The intervals, those of deleted and of missing bikes included.
  public let intervals: [ServiceInterval]
  /// The components by their ids.
  public let components: [String: Component]
  /// Their places over time.
  public let mountings: MountingHistory
  /// The rides of this device, each once, whatever sources know it.
  public let rides: [Ride]
  /// The rides that count: those, and the days of other devices where they know more of a month.
  public let worn: [Ride]
  /// The same by bike and time.
  public let ledger: RideLedger

  /// Brings the records of both stores together.
  ///
  /// - Parameters:
  ///   - bikes: The bikes of the synced store, deleted ones included.
  ///   - gear: The gear of the local one.
  ///   - intervals: The intervals, orphans included.
  ///   - components: The components.
  ///   - installations: The installations.
  ///   - rides: The rides of this device, each once.
  ///   - worn: The rides that count; nil for those of this device.
  public init(
    bikes: [Record], gear: [Record], intervals: [Record], components: [Record],
    installations: [Record], rides: [Ride], worn: [Ride]? = nil
  ) {
    self.rides = rides
    self.worn = worn ?? rides
    ledger = RideLedger(worn ?? rides)
    self.intervals = intervals.filter { !$0.isDeleted || $0.isOrphan }
      .compactMap { ServiceInterval($0) }
    var parts: [String: Component] = [:]
    var homes: [String: Installation.Place] = [:]
    for record in components {
      let id = record.key.id.text
      parts[id] = Component(record: record, name: record["name"].string ?? id)
      if let parent = record.parent {
        homes[id] =
          parent.collection == .bike ? .bike(parent.id.text) : .component(parent.id.text)
      }
    }
    self.components = parts
    mountings = MountingHistory(installations.compactMap { Installation($0) }, homes: homes)
    for record in gear { add(gear: record) }
    for record in bikes { add(bike: record) }
    for interval in self.intervals where self.bikes[interval.bike] == nil {
      self.bikes[interval.bike] = Bike(
        id: interval.bike, name: nil, standing: .missing, kind: .unknown, gears: [])
    }
  }

  private mutating func add(gear record: Record) {
    let id = record.key.id.text
    bikes[id] = Bike(
      id: id, name: record["name"].string,
      standing: record["retired"].bool == true ? .retired : .here,
      kind: record["frameType"].int.flatMap { BikeKind(frameType: $0) } ?? .unknown, gears: [])
  }

  private mutating func add(bike record: Record) {
    let id = record.key.id.text
    var bike =
      bikes[id] ?? Bike(id: id, name: nil, standing: .here, kind: .unknown, gears: [])
    if record.isDeleted {
      bike.standing = .deleted
    } else if let retired = record["retired"].bool {
      bike.standing = retired ? .retired : .here
    }
    if let name = record["name"].string { bike.name = name }
    if let kind = record["kind"].string.flatMap({ BikeKind(text: $0) }) { bike.kind = kind }
    if case .list(let values) = record["gearIds"] { bike.gears = values.compactMap(\.string) }
    bikes[id] = bike
  }

  /// A bike; a missing one when it is unknown.
  public func bike(_ id: String) -> Bike {
    bikes[id] ?? Bike(id: id, name: nil, standing: .missing, kind: .unknown, gears: [])
  }

  /// The gear ids whose rides are a bike's.
  public func gears(of bike: String) -> [String] {
    let others = bikes[bike]?.gears ?? []
    return [bike] + Set(others).subtracting([bike]).sorted()
  }

  /// The wear of a bike in a span.
  public func wear(
    bike: String, from: Int64 = .min, to: Int64 = .max, outdoorsOnly: Bool = false
  ) -> Wear {
    gears(of: bike).reduce(into: Wear()) {
      $0 += ledger.wear($1, from: from, to: to, outdoorsOnly: outdoorsOnly)
    }
  }

  /// The wear of a component through all that it was mounted on, by rides that began in a span.
  public func wear(
    component: String, since: Int64 = .min, until: Int64 = .max, outdoorsOnly: Bool = false
  ) -> Wear {
    mountings.wear(
      of: component, since: since, until: until, in: ledger, outdoorsOnly: outdoorsOnly,
      gears: gears)
  }
}

extension Garage.Bike {
  /// The bike in a line for people: its name, or its id and its state.
  public var shown: String {
    switch standing {
    case .here, .retired: name ?? "bike \(id)"
    case .missing: "bike \(id), not here"
    case .deleted: "\(name ?? "bike \(id)"), deleted"
    }
  }
}

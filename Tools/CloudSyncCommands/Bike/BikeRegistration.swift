import ArgumentParser
import BikeService
import CommandFoundation
import SyncKit

/// The bike domain on the command line.
enum BikeRegistration: DomainRegistration {
  static let domain: any SyncDomain = BikeDomain()
  static let localStores: [any SyncDomain] = [StravaDomain()]
  static let abstract = "Bikes: rides, components, and service when it is due."
  static let verbs: [any ParsableCommand.Type] = [
    BikeDue.self, ServiceDone.self, ServiceLog.self, BikeDefaults.self, ComponentCommand.self,
    RideCommand.self,
    StravaCommand.self, BikeCalendar.self, BikeChart.self,
  ]

  static let example = DomainExample(
    id: "b1", fields: "name=\"Trail bike\"", add: "add b1 name=\"Trail bike\" kind=hardtail")
  static let countedFields: [Name] = ["kind", "retired"]
  static let sharedNoun: String? = "bike"
  static let shareExample = "b1"

  static func columns(of collection: RecordType) -> [RecordColumn]? {
    switch collection.name {
    case "bike":
      [
        .id(), .field("name"), .field("kind"), .field("brand"), .field("model"),
        .scope,
      ]
    case "interval":
      [
        .id(), .field("bikeId", "bike"), .field("part"),
        .field("intervalTime", "hours", type: .double),
        .field("intervalDistance", "km", type: .double),
        .field("intervalRides", "rides", type: .int), .field("intervalDays", "days", type: .int),
        .field("lastServiceDate", "last service", type: .instant),
      ]
    default: nil
    }
  }

  static func steadyFields(of collection: Name) -> [Name] {
    switch collection {
    case "bike": ["name", "kind"]
    case "interval": ["bikeId", "part", "lastServiceDate", "lastNotified"]
    case "serviceRecord": ["date", "isReset", "note", "cost"]
    default: []
    }
  }
}

/// The local store of rides, for the generic verbs; it is not a domain that syncs.
enum StravaRegistration: DomainRegistration {
  static let domain: any SyncDomain = StravaDomain()
  static let commandPath = "bike ride"
  static let abstract = "Rides on this device; they never sync."
  static let example = DomainExample(id: "9876543210", fields: "gearId=b1")

  static func columns(of collection: RecordType) -> [RecordColumn]? {
    guard collection.name == "activity" else { return nil }
    return [
      .id(), .field("startDate", "start", type: .instant), .field("name"),
      .field("sportType", "type"),
      .field("gearId", "bike"), .field("distance", "metres", type: .double),
      .field("movingTime", "seconds", type: .int), .field("source"),
    ]
  }
}

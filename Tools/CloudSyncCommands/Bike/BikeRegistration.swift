import ArgumentParser
import BikeService
import CommandFoundation
import SyncKit
import SyncKitFormats

/// The bike domain on the command line.
enum BikeRegistration: DomainRegistration {
  static let domain: any SyncDomain = BikeDomain()
  static let abstract = "Bikes: rides, components, and service when it is due."
  static let commands: DomainCommands = {
    var commands = DomainCommands(
      verbs: [
        BikeDue.self, ServiceDone.self, ServiceLog.self, BikeDefaults.self, ComponentCommand.self,
        RideCommand.self,
        StravaCommand.self, BikeCalendar.self, BikeChart.self,
      ], localStores: [StravaDomain()])
    commands.prepareSync = { try $0.shareTotals() }
    return commands
  }()

  static let records: DomainRecords = {
    var records = recordsWithoutUnits
    records.input.typed = { typed($0, $1) }
    return records
  }()

  /// What an amount with its unit is in the field's own: `5h`, `2500mi`, `120d`.
  private static func typed(_ field: FieldName, _ text: String) -> String? {
    func number(before units: String...) -> Double? {
      let unit = units.first { text.lowercased().hasSuffix($0) }
      guard let unit else { return nil }
      return Double(text.dropLast(unit.count).filter { $0 != " " })
    }
    switch field {
    case "intervalDistance":
      if let miles = number(before: "miles", "mi") {
        return "\(miles * UnitSystem.imperial.metresPerDistance / 1000)"
      }
      return number(before: "km").map { "\($0)" }
    case "intervalTime": return number(before: "hours", "h").map { "\($0)" }
    case "intervalDays":
      return number(before: "days", "d").flatMap { Int64(exactly: $0) }.map { "\($0)" }
    case "intervalRides":
      return number(before: "rides").flatMap { Int64(exactly: $0) }.map { "\($0)" }
    default: return nil
    }
  }

  private static let recordsWithoutUnits = DomainRecords(
    display: RecordDisplay(
      example: DomainExample(
        id: "b1", fields: "name=\"Trail bike\"",
        add: "add b1 name=\"Trail bike\" kind=hardtail"),
      columns: { columns(of: $0) },
      steadyFields: [
        "bike": ["name", "kind"],
        "interval": ["bikeId", "part", "lastServiceDate", "lastNotified"],
        "serviceRecord": ["date", "isReset", "note", "cost"],
      ],
      countedFields: ["kind", "retired"]),
    input: RecordInput(recognize: { recognize($0) }),
    sharing: RecordSharing(noun: "bike", example: "b1"))

  /// Exports of Strava, recordings of rides, and the app's own data.
  static func recognize(_ sample: FileSample) -> RecognizedFile? {
    let isStrava = sample.paths.contains { $0.hasPrefix("activities/") }
    if sample.entryNames.contains("activities.csv"),
      isStrava || sample.entryNames.contains("bikes.csv")
    {
      return RecognizedFile("a Strava archive", verbs: ["ride import"])
    }
    if sample.header.contains("activity id"), sample.header.contains("activity type") {
      return RecognizedFile("Strava's table of activities", verbs: ["ride import"])
    }
    if sample.content == .fit { return RecognizedFile("a FIT recording", verbs: ["ride import"]) }
    if sample.content == .markup, sample.text.contains("<gpx") {
      return RecognizedFile("a GPX recording", verbs: ["ride import"])
    }
    if sample.content == .markup, sample.text.contains("<trainingcenterdatabase") {
      return RecognizedFile("a TCX recording", verbs: ["ride import"])
    }
    let keys = sample.outline.keys
    return keys.contains("serviceIntervals")
      || keys.contains("activities") && keys.contains("bikes")
      ? RecognizedFile("the data of the bike app", verbs: ["import", "ride import"]) : nil
  }

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

  static var tables: PlugInTables {
    PlugInTables(
      keys: [
        ConfigKey(
          "strava",
          .map(
            ConfigMap(keys: [
              ConfigKey("client-id", .text, "The id of the app"),
              ConfigKey("client-secret", .secret(orText: false), "The secret of the app"),
              ConfigKey("url", .url, "The address of Strava", fallback: "https://www.strava.com"),
            ])), "The rider's own app at Strava, for the domain bike"),
        ConfigKey(
          "units", .choice(UnitSystem.allCases.map(\.rawValue)),
          "Whether the domain bike shows kilometres or miles", fallback: "metric"),
        ConfigKey(
          "share-totals", .flag, "Whether the sums of rides sync, for devices without the rides",
          fallback: "false"),
      ],
      errors: [
        (.stravaUnavailable, "Strava cannot be reached, or is down"),
        (.stravaLimit, "Strava's request limit is reached for now"),
        (.stravaAnswer, "Strava sent an unknown answer"),
        (.stravaDenied, "There is no access to Strava, or not to this data"),
      ],
      documents: [
        (
          "cloudsync.bike.due/1",
          "services: interval, part, bike: id, name, standing; component, status, share,"
            + " limits: measure, amount, used, remaining; lastServiceDate, dueDate, notify,"
            + " notificationId; rides: how many rides this device knows"
        ),
        (
          "cloudsync.bike.service-log/1",
          "records: id, bike, part, date, isReset, note, cost, currency, hours, kilometres; costs"
        ),
        (
          "cloudsync.bike.component-tree/1",
          "parts: depth, id, name, mounted, hours, kilometres, rides"
        ),
        ("cloudsync.bike.chart/1", "months, bikes: id, name, kilometres; rides"),
        ("cloudsync.bike.calendar/1", "file, count"),
        ("cloudsync.bike.strava-login/1", "athlete, scope"),
        ("cloudsync.bike.strava-logout/1", "loggedOut"),
      ],
      files: [
        ("zip", "Strava's bulk export, for 'bike ride import'; import only"),
        ("rides json", "What 'bike ride export' writes, for 'bike ride import'"),
        ("fit, gpx, tcx", "Recordings, also packed by gzip, for 'bike ride import'; import only"),
        ("app json", "The app's own data: intervals, services and rides; import only"),
      ])
  }
}

/// The local store of rides, for the generic verbs; it is not a domain that syncs.
enum StravaRegistration: DomainRegistration {
  static let domain: any SyncDomain = StravaDomain()
  static let abstract = "Rides on this device; they never sync."

  static let commands: DomainCommands = {
    var commands = DomainCommands()
    commands.path = "bike ride"
    return commands
  }()

  static let records = DomainRecords(
    display: RecordDisplay(
      example: DomainExample(id: "ride-20261120T160000Z", fields: "gearId=b1"),
      columns: { columns(of: $0) }))

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

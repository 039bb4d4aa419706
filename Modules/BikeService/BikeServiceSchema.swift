public import SyncKit

extension DomainSchema {
  /// The collections of the domain `bike`: the data that a rider enters, which syncs.
  ///
  /// Rides and other data from Strava are in ``strava``, a store that never leaves the device.
  public static let bike = DomainSchema(
    "bike", [.bike, .interval, .serviceRecord, .component, .installation, .total])

  /// The collections of the local store `strava`: data that can be fetched again.
  ///
  /// Ids are those of the source, so that each activity, athlete and bike is there once.
  public static let strava = DomainSchema("strava", [.activity, .athlete, .gear])
}

extension CollectionName {
  static let bike: CollectionName = "bike"
  static let interval: CollectionName = "interval"
  static let serviceRecord: CollectionName = "serviceRecord"
  static let component: CollectionName = "component"
  static let installation: CollectionName = "installation"
  static let total: CollectionName = "total"
  static let activity: CollectionName = "activity"
  static let athlete: CollectionName = "athlete"
  static let gear: CollectionName = "gear"
}

extension RecordType {
  /// A bike; its id is the gear id of the rides, so that a ride needs no other link to it.
  static let bike = RecordType(
    .bike, placement: .root,
    fields: [
      Field("name", .string),
      Field("kind", .string),
      Field("brand", .string),
      Field("model", .string),
      Field("gearIds", .set),
      Field("retired", .bool),
    ])

  /// A service that a part needs at regular intervals.
  static let interval = RecordType(
    .interval, placement: .parent, parents: [.bike],
    fields: [
      Field("bikeId", .string, policy: ImmutablePolicy()),
      Field("part", .string),
      Field("templateId", .string),
      Field("componentId", .string),
      Field("intervalTime", .double),
      Field("intervalDistance", .double),
      Field("intervalRides", .int),
      Field("intervalDays", .int),
      Field("lastServiceDate", .instant, policy: ExtremePolicy.max),
      Field("notify", .bool),
      Field("lastNotified", .instant, policy: ExtremePolicy.max, weight: .touch),
      Field("outdoorsOnly", .bool),
      Field("note", .string, policy: KeepBothPolicy()),
      Field("notifiedHere", .instant, weight: .touch, isLocal: true),
    ])

  /// One entry of the service log; nothing in it ever changes.
  static let serviceRecord = RecordType(
    .serviceRecord, placement: .parent, deleteRule: .deleteWins,
    parents: [.interval, .component, .bike],
    fields: [
      Field("date", .instant, policy: ImmutablePolicy()),
      Field("isReset", .bool, policy: ImmutablePolicy()),
      Field("note", .string, policy: ImmutablePolicy()),
      Field("cost", .double, policy: ImmutablePolicy()),
      Field("currency", .string, policy: ImmutablePolicy()),
      Field("hours", .double, policy: ImmutablePolicy()),
      Field("kilometres", .double, policy: ImmutablePolicy()),
    ])

  /// A part of a bike, or a part of a part; its parent is the bike or part that it is mounted on now.
  static let component = RecordType(
    .component, placement: .parent, parents: [.bike, .component], isMovable: true,
    fields: [
      Field("name", .string),
      Field("type", .string),
      Field("brand", .string),
      Field("model", .string),
      Field("cost", .double),
      Field("currency", .string),
      Field("retired", .bool),
      Field("copyOf", .string),
      Field("note", .string, policy: KeepBothPolicy()),
    ])

  /// A time during which a component was mounted, on a bike or on another component.
  static let installation = RecordType(
    .installation, placement: .parent, parents: [.component],
    fields: [
      Field("bikeId", .string),
      Field("on", .string),
      Field("installed", .instant),
      Field("removed", .instant),
    ])

  /// What the rides of a device add up to on the days of a month, for its owner's other devices.
  static let total = RecordType(
    .total, placement: .parent, parents: [.bike],
    fields: [
      Field("bikeId", .string, weight: .touch),
      Field("month", .string, weight: .touch),
      Field("device", .string, weight: .touch),
      Field("days", .list, weight: .touch),
    ])

  static let activity = RecordType(
    .activity, placement: .local,
    fields: [
      Field("gearId", .string),
      Field("name", .string),
      Field("type", .string),
      Field("sportType", .string),
      Field("startDate", .instant),
      Field("movingTime", .int),
      Field("elapsedTime", .int),
      Field("distance", .double),
      Field("averageSpeed", .double),
      Field("elevationGain", .double),
      Field("trainer", .bool),
      Field("commute", .bool),
      Field("manual", .bool),
      Field("device", .string),
      Field("uploadId", .string),
      Field("source", .string),
      Field("corrected", .set),
    ])

  static let athlete = RecordType(
    .athlete, placement: .local,
    fields: [Field("firstname", .string), Field("profile", .string)])

  static let gear = RecordType(
    .gear, placement: .local,
    fields: [
      Field("name", .string),
      Field("distance", .double),
      Field("detectedType", .string),
      Field("brand", .string),
      Field("model", .string),
      Field("frameType", .int),
      Field("retired", .bool),
      Field("source", .string),
    ])
}

import SyncKitFormats
public import SyncKit

/// Data fetched from Strava, ready to be written to the two stores.
public struct StravaPull: Sendable {
  /// Records of the local store.
  public private(set) var drafts: [RecordDraft] = []
  /// Activities that no longer exist, or are no longer rides.
  public private(set) var removed: [Name] = []
  /// Bikes of the synced store, as defaults.
  public private(set) var bikes: [RecordDraft] = []
  /// A sentence for each item that could not be read.
  public private(set) var warnings: [String] = []
  /// The error that ended the fetching early; what came before it is kept.
  public private(set) var interruption: SyncError?
  /// The number of activities read.
  public private(set) var seen = 0

  /// The data already stored, and how far back to refresh.
  public struct Options: Sendable {
    /// How far back to look for edits and deletions, in milliseconds.
    public var window: Int64 = 30 * 86_400_000
    /// Whether to fetch everything again.
    public var isFull = false

    /// Makes options: the last thirty days and all that is new.
    public init() {}
  }

  /// Fetches new rides, and refreshes recent ones.
  ///
  /// Pages are fetched until one is empty; a short one is not the last. Deletions are inferred only
  /// from a complete list.
  ///
  /// - Throws: ``SyncKit/SyncError`` when nothing could be fetched; a later error is kept as
  ///   ``interruption``.
  public init(
    _ client: StravaClient, rides: SyncStore, bikes: SyncStore, options: Options = Options(),
    progress: @Sendable (Int) -> Void = { _ in }
  ) async throws {
    var known: [Name: Int64] = [:]
    var newest: Int64?
    try rides.forEachRecord(in: .activity) { record in
      guard record["source"].string == "strava", let date = record["startDate"].instant else {
        return
      }
      known[record.key.id] = date
      newest = max(newest ?? date, date)
    }
    let after =
      options.isFull ? 0 : max(0, (newest ?? 0) - options.window) / 1000
    let athlete = try await client.athlete()
    if let draft = StravaJSON.athlete(athlete) { drafts.append(draft) }
    var gear: [Name: RecordDraft] = [:]
    for bike in athlete["bikes"]?.array ?? [] {
      if let draft = StravaJSON.gear(bike), let id = draft.id { gear[id] = draft }
    }
    do {
      let met = try await fetchActivities(client, after: after, progress)
      removed = known.filter { id, date in date > after * 1000 && !met.contains(id) }
        .map(\.key).sorted()
      try await fetchGear(client, &gear, rides: rides, bikes: bikes)
    } catch let error as SyncError {
      interruption = error
    }
    drafts += gear.sorted { $0.key < $1.key }.map(\.value)
    self.bikes = try Self.bikes(for: gear, rides: rides, bikes: bikes)
  }

  /// Fetches all pages and returns the rides on them.
  private mutating func fetchActivities(
    _ client: StravaClient, after: Int64, _ progress: (Int) -> Void
  ) async throws -> Set<Name> {
    var met: Set<Name> = []
    var page = 1
    while true {
      let activities = try await client.activities(after: after, page: page)
      if activities.isEmpty { return met }
      var isNew = false
      for activity in activities {
        seen += 1
        do {
          guard let draft = try StravaJSON.activity(activity) else {
            isNew = true
            continue
          }
          guard let id = draft.id, met.insert(id).inserted else { continue }
          isNew = true
          drafts.append(draft)
        } catch let error as SyncError {
          isNew = true
          warnings.append("page \(page): \(error.message); the activity was left out")
        }
      }
      guard isNew, page < Self.maximumPages else {
        throw SyncError(.stravaAnswer, "Strava keeps sending the same page of activities.")
      }
      progress(seen)
      page += 1
    }
  }

  private static let maximumPages = 5_000

  /// Fetches bikes that rides or intervals name and that are not known yet.
  private mutating func fetchGear(
    _ client: StravaClient, _ gear: inout [Name: RecordDraft], rides: SyncStore, bikes: SyncStore
  ) async throws {
    var wanted: Set<String> = []
    for draft in drafts where draft.collection == .activity {
      if let id = draft.fields["gearId"]?.string { wanted.insert(id) }
    }
    for record in try bikes.records(.interval, includingDeleted: true)
    where !record.isDeleted || record.isOrphan {
      if let interval = ServiceInterval(record) { wanted.insert(interval.bike) }
    }
    for id in wanted.sorted() where Self.isBikeID(id) && gear[Name(id)] == nil {
      if let known = try rides.record(.gear, Name(id)), !known.isDeleted { continue }
      if let json = try await client.gear(id), let draft = StravaJSON.gear(json) {
        gear[Name(id)] = draft
      } else {
        warnings.append("Strava has no bike \(id), or does not show it")
      }
    }
  }

  private static func isBikeID(_ id: String) -> Bool {
    id.hasPrefix("b") && id.utf8.count > 1 && id.utf8.dropFirst().allSatisfy(\.isDigit)
  }

  /// The changes of bikes for the synced store: new bikes, and changed names.
  ///
  /// A name that the rider has given stays; one that came from Strava follows Strava. A bike that
  /// an export has named and that has no number yet gets the number.
  private static func bikes(
    for gear: [Name: RecordDraft], rides: SyncStore, bikes: SyncStore
  ) throws -> [RecordDraft] {
    let known = try bikes.records(.bike)
    var drafts: [RecordDraft] = []
    for (id, draft) in gear.sorted(by: { $0.key < $1.key }) {
      guard let name = draft.fields["name"]?.string else { continue }
      let former = try rides.record(.gear, id)?["name"]
      if let bike = known.first(where: { $0.key.id == id }) {
        if bike["name"].isNull || bike["name"] == former, bike["name"] != .string(name) {
          drafts.append(
            RecordDraft(.bike, id: id, fields: ["name": .string(name)], weight: .touch))
        }
        continue
      }
      let linked = known.filter { bike in
        if case .list(let ids) = bike["gearIds"] { return ids.contains(.string(id.text)) }
        return false
      }
      guard linked.isEmpty else { continue }
      let idCollisions = known.filter {
        $0["name"].string?.folded == name.folded && !isBikeID($0.key.id.text)
      }
      if idCollisions.count == 1, let bike = idCollisions.first {
        var ids: [Value] = []
        if case .list(let values) = bike["gearIds"] { ids = values }
        drafts.append(
          RecordDraft(
            .bike, id: bike.key.id, fields: ["gearIds": .list(ids + [.string(id.text)])],
            weight: .touch))
      } else {
        drafts.append(RecordDraft(.bike, id: id, fields: ["name": .string(name)], weight: .touch))
      }
    }
    return drafts
  }
}

extension SyncStore {
  /// Writes what was fetched to the local store, as one batch.
  ///
  /// - Returns: The summary of the batch.
  public func write(_ pull: StravaPull) throws -> BatchSummary {
    try write { transaction in
      for draft in pull.drafts { try transaction.save(draft) }
      for id in pull.removed {
        try transaction.delete(RecordKey(zone: .local, collection: .activity, id: id))
      }
    }.summary
  }
}

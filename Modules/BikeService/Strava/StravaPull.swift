import SyncKitFormats
public import SyncKit

/// Data fetched from Strava, ready to be written to the two stores.
public struct StravaPull: Sendable {
  /// Records of the local store.
  public private(set) var drafts: [RecordDraft] = []
  /// Activities that no longer exist, or are no longer rides.
  public private(set) var removed: [RecordID] = []
  /// Bikes of the synced store, as defaults.
  public private(set) var bikes: [RecordDraft] = []
  /// A sentence for each item that could not be read.
  public private(set) var warnings: [String] = []
  /// The error that ended the fetching early; what came before it is kept.
  public private(set) var interruption: SyncError?
  /// The number of activities read.
  public private(set) var seen = 0

  /// How far the device has looked after this pull, to be stored for the next.
  public private(set) var progress = StravaProgress()

  /// The data already stored, and how far back to refresh.
  public struct Options: Sendable {
    /// How far back to look for edits and deletions, in milliseconds.
    public var window: Int64 = 30 * 86_400_000
    /// Whether to fetch everything again.
    public var isFull = false
    /// How far earlier pulls have looked.
    public var progress = StravaProgress()
    /// The time now, in milliseconds since 1970: a ride of the future does not move the window.
    public var now: Int64 = .max

    /// Makes options: the last thirty days and all that is new.
    public init() {}
  }

  /// Fetches new rides, and refreshes recent ones.
  ///
  /// Pages are fetched until one is empty; a short one is not the last. Deletions are inferred only
  /// from a complete list. A pass through all rides that was cut goes on where it ended. Each pull looks
  /// at one page of older rides as well, a different one each time, so that a ride which was uploaded
  /// late, edited or deleted there is found after some pulls.
  ///
  /// - Throws: ``SyncKit/SyncError`` when nothing could be fetched; a later error is kept as
  ///   ``interruption``.
  public init(
    _ client: StravaClient, rides: SyncStore, bikes: SyncStore, options: Options = Options(),
    progress: @Sendable (Int) -> Void = { _ in }
  ) async throws {
    var known: [RecordID: Int64] = [:]
    var newest: Int64?
    try rides.forEachRecord(in: .activity) { record in
      guard record["source"].string == "strava", let date = record["startDate"].instant else {
        return
      }
      known[record.key.id] = date
      // A wrong clock may have dated one years ahead.
      if date <= options.now { newest = max(newest ?? date, date) }
    }
    self.progress = options.progress
    let window = max(0, (newest ?? 0) - options.window) / 1000
    let isWhole = options.isFull || window == 0 || options.progress.pass != nil
    let pass = isWhole ? options.progress.pass : nil
    let after = isWhole ? min(pass?.reached ?? 0, options.isFull ? .max : window) : window
    let athlete = try await client.athlete()
    if let draft = StravaJSON.athlete(athlete) { drafts.append(draft) }
    var gear: [RecordID: RecordDraft] = [:]
    for bike in athlete["bikes"]?.array ?? [] {
      if let draft = StravaJSON.gear(bike), let id = draft.id { gear[id] = draft }
    }
    var met = Met()
    var isFetched = false
    do {
      try await fetchActivities(client, after: after, now: options.now, &met, progress)
      isFetched = true
      let from = isWhole ? 0 : after
      let seen = met.ids.union((pass?.seen ?? []).map { RecordID($0) })
      removed = known.filter { id, date in date > from * 1000 && !seen.contains(id) }
        .map(\.key).sorted()
      if isWhole {
        self.progress.pass = nil
        self.progress.lastFull = options.now == .max ? nil : options.now
      } else {
        try await lookBack(client, known: known, before: window, options)
      }
      try await fetchGear(client, &gear, rides: rides, bikes: bikes)
    } catch let error as SyncError {
      interruption = error
      if isWhole, !isFetched {
        let seen = met.ids.map(\.text) + (pass?.seen ?? [])
        self.progress.pass = .init(
          reached: max(after, met.latest - 1), seen: Set(seen).sorted())
      }
    }
    report(unknown: met.unknown)
    drafts += gear.sorted { $0.key < $1.key }.map(\.value)
    self.bikes = try Self.bikes(for: gear, rides: rides, bikes: bikes)
  }

  /// What pages have shown.
  private struct Met {
    var ids: Set<RecordID> = []
    /// The latest start, in seconds since 1970.
    var latest: Int64 = 0
    /// Types that are not known, by their names.
    var unknown: [String: Int] = [:]
  }

  private mutating func report(unknown: [String: Int]) {
    guard !unknown.isEmpty else { return }
    warnings.append(
      "left out, as it is not known whether they are rides: \(KindCensus.text(unknown))")
  }

  /// Fetches all pages after a time, in seconds since 1970.
  private mutating func fetchActivities(
    _ client: StravaClient, after: Int64, now: Int64, _ met: inout Met, _ progress: (Int) -> Void
  ) async throws {
    var page = 1
    while true {
      let activities = try await client.activities(after: after, page: page)
      if activities.isEmpty { return }
      guard take(activities, "page \(page)", now: now, &met), page < Self.maximumPages else {
        throw SyncError(.stravaAnswer, "Strava keeps sending the same page of activities.")
      }
      progress(seen)
      page += 1
    }
  }

  /// Takes the rides of a page; returns whether there was anything new on it.
  private mutating func take(
    _ activities: [JSON], _ place: String, now: Int64, _ met: inout Met
  ) -> Bool {
    var isNew = false
    for activity in activities {
      seen += 1
      do {
        switch try StravaJSON.activity(activity) {
        case .other: isNew = true
        case .unknown(let type):
          isNew = true
          met.unknown[type, default: 0] += 1
        case .ride(let draft, let doubts):
          guard let id = draft.id, met.ids.insert(id).inserted else { continue }
          isNew = true
          warnings += doubts.map { "\(place): \($0)" }
          let start = draft.fields["startDate"]?.instant ?? 0
          guard start <= now || start - now <= Ride.leeway else {
            warnings.append(
              "\(place): the activity \(id) is dated in the future; it was left out")
            continue
          }
          met.latest = max(met.latest, start / 1000)
          drafts.append(draft)
        }
      } catch let error as SyncError {
        isNew = true
        warnings.append("\(place): \(error.message); the activity was left out")
      } catch {
        isNew = true
      }
      if let start = activity["start_date"]?.string.flatMap(Timestamp.parse), start <= now {
        met.latest = max(met.latest, start / 1000)
      }
    }
    return isNew
  }

  /// Looks at the next page of rides before the window, and starts over behind the last one.
  private mutating func lookBack(
    _ client: StravaClient, known: [RecordID: Int64], before window: Int64, _ options: Options
  ) async throws {
    let after = progress.lookBack < window ? progress.lookBack : 0
    let activities = try await client.activities(after: after, page: 1)
    var met = Met()
    let count = drafts.count
    _ = take(activities, "older rides", now: options.now, &met)
    // What is in the window was fetched before.
    let fetched = Set(drafts[..<count].compactMap(\.id))
    drafts.removeSubrange(count...)
    for activity in activities {
      guard case .ride(let draft, _)? = try? StravaJSON.activity(activity), let id = draft.id,
        let start = draft.fields["startDate"]?.instant, start <= window * 1000,
        !fetched.contains(id)
      else { continue }
      drafts.append(draft)
    }
    let end = activities.isEmpty ? window : min(met.latest, window)
    removed += known.filter { id, date in
      date > after * 1000 && date < end * 1000 && !met.ids.contains(id) && !removed.contains(id)
    }.map(\.key).sorted()
    report(unknown: met.unknown)
    progress.lookBack = end >= window || end <= after ? 0 : end - 1
  }

  private static let maximumPages = 5_000

  /// Fetches bikes that rides or intervals name and that are not known yet.
  private mutating func fetchGear(
    _ client: StravaClient, _ gear: inout [RecordID: RecordDraft], rides: SyncStore,
    bikes: SyncStore
  ) async throws {
    var wanted: Set<String> = []
    for draft in drafts where draft.collection == .activity {
      if let id = draft.fields["gearId"]?.string { wanted.insert(id) }
    }
    for record in try bikes.records(.interval, includingDeleted: true)
    where !record.isDeleted || record.isOrphan {
      if let interval = ServiceInterval(record) { wanted.insert(interval.bike) }
    }
    for id in wanted.sorted() where Self.isBikeID(id) && gear[RecordID(id)] == nil {
      if let known = try rides.record(.gear, RecordID(id)), !known.isDeleted { continue }
      if let json = try await client.gear(id), let draft = StravaJSON.gear(json) {
        gear[RecordID(id)] = draft
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
    for gear: [RecordID: RecordDraft], rides: SyncStore, bikes: SyncStore
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
  /// Writes what was fetched to the local store, as one batch; what the rider has corrected stays.
  ///
  /// - Returns: The summary of the batch.
  public func write(_ pull: StravaPull) throws -> BatchSummary {
    let corrections = try RideCorrections(self)
    return try write { transaction in
      for draft in pull.drafts { try transaction.save(corrections.kept(draft)) }
      for id in pull.removed {
        try transaction.delete(RecordKey(zone: .local, collection: .activity, id: id))
      }
    }.summary
  }
}

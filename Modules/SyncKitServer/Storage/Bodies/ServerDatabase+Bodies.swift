import SyncCrypto
import SyncKit
import SyncKitText
import SyncWire

/// Large bodies, which are kept in a bucket.
///
/// Each object has a row in `objects` that is committed before anything is sent. The row goes through three states and never back:
///
/// - *Claimed* (`used` 0, no cursor): it is being stored, for one day at most, and counts for the quota of its account.
/// - *Taken* (`used` 1, with a cursor): a segment has it.
/// - *Free* (`used` 1, no cursor): it is removed by whichever server comes first. The database makes it free by itself
///   when its segment goes, in whatever way.
///
/// Each name has a random part and is claimed once, so what removes a free object can never meet one that is stored.
extension ServerDatabase {
  /// How long a claim is kept that no segment took, in milliseconds.
  static let claimLength: Int64 = 86_400_000

  /// Keeps large bodies in a bucket from now on, and collects what nothing has any more.
  ///
  /// The first server of a database that comes so far decides which bucket it is; `replaceBucket(by:)` names another one.
  ///
  /// - Throws: ``SyncError`` `remote.*` and `config.invalid` when the bucket cannot be used, or is another one than that of
  ///   the database.
  public func keepLargeBodies(
    in blobs: ServerBlobs, log: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws {
    let bucket = try await name(blobs, log)
    try await bucket.prepare(hasObjects: try await keptOutside().count > 0)
    try await settle(on: bucket)
    use(bucket)
    if isServing { startCollecting() }
  }

  /// Reads and removes large bodies in a bucket, without trying it.
  func reachLargeBodies(in blobs: ServerBlobs) async throws { use(try await name(blobs) { _ in }) }

  /// Refuses to go on without a bucket when bodies are in one.
  func requireNoLargeBodies() async throws {
    let (count, _) = try await keptOutside()
    guard count == 0 else {
      throw SyncError(
        .configInvalid, "This server keeps the bodies of \(count) segments in a bucket.",
        hint: "Name it with --blobs or 'server.blobs'.")
    }
  }

  /// How many bodies are kept outside the database, and how many bytes they have.
  func keptOutside() async throws -> (count: Int64, bytes: Int64) {
    try await read { tables in
      try tables.first(
        "SELECT count(*), CAST(coalesce(sum(size), 0) AS bigint) FROM objects WHERE cursor IS NOT NULL"
      ) { (count: try $0.int(0), bytes: try $0.int(1)) } ?? (0, 0)
    }
  }

  private func name(
    _ blobs: ServerBlobs, _ log: @escaping @Sendable (String) -> Void, isOther: Bool = false
  ) async throws -> BodyBucket {
    let random = Int64(environment.random() >> 1)
    let (number, known) = try await write { tables in
      try tables.run(
        "INSERT INTO counters(name, value) VALUES('bucket', ?) ON CONFLICT(name) DO NOTHING",
        .int(random))
      return (
        try tables.count("SELECT value FROM counters WHERE name='bucket'"),
        try Self.knownBucket(tables)
      )
    }
    let bucket = BodyBucket(blobs, folder: String(number, radix: 36), log: log)
    if let known, known != bucket.location, !isOther { throw bucket.isAnother(than: known) }
    return bucket
  }

  // MARK: Which bucket

  /// The name of the bucket that all bodies are in; nil when no server was started with one.
  func knownBucket() async throws -> String? { try await read { try Self.knownBucket($0) } }

  private static func knownBucket(_ tables: ServerTables) throws -> String? {
    try tables.first("SELECT location FROM buckets") { try $0.text(0) }
  }

  /// Makes a bucket that of the database, unless there is one.
  private func settle(on bucket: BodyBucket) async throws {
    let now = environment.now()
    try await write { tables in
      guard let known = try Self.knownBucket(tables) else {
        return try Self.note(bucket, at: now, tables)
      }
      guard known == bucket.location else { throw bucket.isAnother(than: known) }
    }
  }

  private static func note(
    _ bucket: BodyBucket, at now: Int64, _ tables: ServerTables
  ) throws {
    try tables.run(
      "INSERT INTO buckets(location, begun) VALUES(?, ?)", .text(bucket.location), .int(now))
  }

  /// Makes another bucket that of the database; the objects must be there already.
  ///
  /// A server that has the bucket before stores nothing large any more until it is started with the new one.
  ///
  /// - Returns: The name of the bucket before; nil for none.
  /// - Throws: ``SyncError`` `config.invalid` when the objects are not there, `store.busy` when a server stores some just
  ///   now, `remote.*`.
  func replaceBucket(by blobs: ServerBlobs) async throws -> String? {
    let bucket = try await name(blobs, { _ in }, isOther: true)
    let there = Set(try await bucket.names())
    let objects = try await read { tables in
      try tables.all("SELECT name FROM objects WHERE cursor IS NOT NULL") { try $0.text(0) }
    }
    let missing = objects.count { !there.contains($0) }
    guard missing == 0 else {
      throw SyncError(
        .configInvalid,
        "\(missing) of the \(Plural(objects.count, "body", "bodies")) of this server are not in \(bucket.location).",
        hint: "Stop the servers and copy all objects there, with their names.")
    }
    // The marker of a bucket before may be anywhere, so the objects themselves say that it is the right one.
    try await bucket.prepare(hasObjects: false)
    let hasObjects = !objects.isEmpty
    let now = environment.now()
    let known = try await write { tables in
      let known = try Self.knownBucket(tables)
      guard known != bucket.location else { return known }
      let isQuiet = try !tables.exists(
        "SELECT 1 FROM objects WHERE \(hasObjects ? "cursor IS NULL AND used=0" : "used=0 OR cursor IS NOT NULL")"
      )
      guard isQuiet else {
        throw SyncError(
          .storeBusy, "A server is storing bodies in \(known ?? "a bucket").",
          hint: "Stop the servers first. What a killed one was storing is given up after a day.")
      }
      try tables.run("DELETE FROM buckets")
      try Self.note(bucket, at: now, tables)
      return known
    }
    use(bucket)
    return known
  }

  /// Finds out, within the transaction that claims names, whether the bucket is still that of the database.
  private func require(_ bucket: BodyBucket, _ tables: ServerTables) throws {
    let known = try Self.knownBucket(tables)
    guard known == bucket.location else {
      throw SyncError(
        .storeUnavailable,
        "The bodies of this server are in \(known ?? "no bucket") now, and not in \(bucket.location).",
        hint: "Start the server with that one.")
    }
  }

  // MARK: Reading

  /// The bytes of an object; nil when it is not there or is not what was stored.
  ///
  /// - Throws: ``SyncError`` `store.unavailable` when there is no bucket, or it does not answer.
  func bytes(of object: BodyObject) async throws -> [UInt8]? {
    guard let bucket else {
      throw SyncError(
        .storeUnavailable, "Bodies of this server are in a bucket that it does not know.",
        hint: "Name it with --blobs or 'server.blobs'.")
    }
    guard let bytes = try await bucket.get(object), object.isWhole(bytes) else { return nil }
    return bytes
  }

  /// The bytes of a body, wherever it is; nil when its object is not there.
  func bytes(of body: StoredBody?) async throws -> [UInt8]? {
    switch body {
    case .row(let bytes): bytes
    case .object(let object): try await bytes(of: object)
    case nil: nil
    }
  }

  /// Runs a transaction, over again with what it lacks as long as it lacks something.
  func gathering<Value>(
    _ body: (GatheredBodies) async throws -> Value
  ) async throws -> Value {
    var gathered = GatheredBodies()
    while true {
      do {
        return try await body(gathered)
      } catch let missing as MissingBodies {
        try await gathered.add(missing.objects, from: self)
      }
    }
  }

  // MARK: Storing

  /// The objects for the large segments of a request that it would store, by their places in it.
  ///
  /// Once this returns, all are in the bucket, and none has a segment yet.
  func deposit(
    _ segments: [IncomingSegment], in domain: String, _ caller: Caller
  ) async throws -> [Int: BodyObject] {
    guard let bucket else { return [:] }
    var hashes: [Int: [UInt8]] = [:]
    for case (let place, .checked(let segment)) in segments.enumerated()
    where segment.bytes.count >= bucket.from {
      hashes[place] = SHA256.hash(segment.bytes)
    }
    guard !hashes.isEmpty else { return [:] }
    let claims = try await gathering { gathered in
      try await write { [hashes] tables in
        let identity = try self.identify(caller, tables)
        try self.require(bucket, tables)
        var intake = SegmentIntake(
          storage: self, identity: identity, domain: domain, gathered: gathered)
        var claims: [Int: BodyObject] = [:]
        for (place, incoming) in segments.enumerated() {
          guard case .checked(let segment) = incoming,
            let (owner, records) = try intake.payer(of: segment, tables), let hash = hashes[place]
          else { continue }
          let claim = try self.claim(
            segment.bytes.count, hash, records, of: owner, in: bucket.folder, tables)
          intake.note(claim, records, of: owner)
          claims[place] = claim
        }
        try intake.checkRoom(tables)
        return claims
      }
    }
    do {
      try await send(claims, of: segments, to: bucket)
    } catch {
      // Those that were stored before another one failed count for no one.
      try? await write { try self.free(claims.values, $0) }
      throw error
    }
    return claims
  }

  private func send(
    _ claims: [Int: BodyObject], of segments: [IncomingSegment], to bucket: BodyBucket
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      var running = 0
      // The same content twice is one object.
      var sent: Set<String> = []
      for (place, object) in claims where sent.insert(object.name).inserted {
        guard case .checked(let segment) = segments[place] else { continue }
        if running >= 4 { try await group.next() }
        running += 1
        group.addTask { try await bucket.put(object, segment.bytes) }
      }
      try await group.waitForAll()
    }
  }

  /// Claims a name for a content; the one that was claimed for it before and not taken.
  private func claim(
    _ size: Int, _ hash: [UInt8], _ records: Int64, of account: String, in folder: String,
    _ tables: ServerTables
  ) throws -> BodyObject {
    let now = environment.now()
    let claimed = try tables.first(
      """
      UPDATE objects SET claimed=?1
      WHERE cursor IS NULL AND used=0 AND hash=?2 AND account=?3 AND size=?4 RETURNING name
      """, .int(now), .blob(hash), .text(account), .int(Int64(size))
    ) { try $0.text(0) }
    if let claimed { return BodyObject(name: claimed, size: size, hash: hash) }
    let digits = Array("0123456789abcdef".unicodeScalars)
    var text = ""
    for byte in hash {
      text.unicodeScalars.append(digits[Int(byte >> 4)])
      text.unicodeScalars.append(digits[Int(byte & 15)])
    }
    let name = "\(folder)/\(account)/\(text)-\(newID())"
    try tables.run(
      "INSERT INTO objects(name, account, hash, size, claimed, records) VALUES(?, ?, ?, ?, ?, ?)",
      .text(name), .text(account), .blob(hash), .int(Int64(size)), .int(now), .int(records))
    return BodyObject(name: name, size: size, hash: hash)
  }

  /// Gives a claimed object to a segment; false when the claim is over.
  func take(_ object: BodyObject, for cursor: UInt64, _ tables: ServerTables) throws -> Bool {
    try tables.exists(
      """
      UPDATE objects SET cursor=?1, used=1 WHERE name=?2 AND cursor IS NULL AND used=0
      RETURNING name
      """, .int(Int64(clamping: cursor)), .text(object.name))
  }

  /// Gives up claims that no segment has taken.
  ///
  /// A row that is gone comes back: an upload of the same claim may have ended before this one, and its object may have been
  /// removed before this one stored it again.
  func free(_ objects: some Sequence<BodyObject>, _ tables: ServerTables) throws {
    for object in objects {
      let account = object.name.split(separator: "/").dropFirst().first.map { String($0) } ?? ""
      try tables.run(
        """
        INSERT INTO objects(name, account, hash, size, claimed, used) VALUES(?, ?, ?, ?, ?, 1)
        ON CONFLICT(name) DO UPDATE SET used=1
        """, .text(object.name), .text(account), .blob(object.hash), .int(Int64(object.size)),
        .int(environment.now()))
    }
  }

  // MARK: Collecting

  /// Removes objects that no segment has, and claims that are a day old.
  ///
  /// - Returns: How many are gone; there may be more.
  @discardableResult
  func collect() async throws -> Int {
    guard let bucket else { return 0 }
    let end = environment.now() - Self.claimLength
    let loose = try await read { tables in
      try tables.all(
        """
        SELECT name, used FROM objects WHERE cursor IS NULL AND (used=1 OR claimed<?)
        ORDER BY claimed LIMIT 64
        """, .int(end)
      ) { (name: try $0.text(0), isFree: try $0.int(1) == 1) }
    }
    guard !loose.isEmpty else { return 0 }
    if loose.contains(where: { !$0.isFree }) {
      // From here on no request can take them, however late it comes.
      try await write { tables in
        try tables.run(
          "UPDATE objects SET used=1 WHERE cursor IS NULL AND used=0 AND claimed<?", .int(end))
      }
    }
    // One that was claimed over again meanwhile is not free, and stays.
    let names = try await read { tables in
      try loose.filter { object in
        try tables.exists(
          "SELECT 1 FROM objects WHERE name=? AND cursor IS NULL AND used=1", .text(object.name))
      }.map(\.name)
    }
    let (gone, failure) = await withTaskGroup(of: (String, (any Error)?).self) { group in
      var (gone, failure): ([String], (any Error)?) = ([], nil)
      func note(_ outcome: (name: String, error: (any Error)?)?) {
        guard let outcome else { return }
        if outcome.error == nil { gone.append(outcome.name) }
        failure = failure ?? outcome.error
      }
      for (index, name) in names.enumerated() {
        if index >= 8 { note(await group.next()) }
        group.addTask {
          do {
            try await bucket.delete(name)
            return (name, nil)
          } catch { return (name, error) }
        }
      }
      while let outcome = await group.next() { note(outcome) }
      return (gone, failure)
    }
    try await write { [now = environment.now()] tables in
      for name in gone {
        try tables.run(
          "DELETE FROM objects WHERE name=? AND cursor IS NULL AND used=1", .text(name))
      }
      // What could not be removed, as a locked object, comes behind all others the next time.
      for name in Set(names).subtracting(gone) {
        try tables.run(
          "UPDATE objects SET claimed=? WHERE name=? AND cursor IS NULL AND used=1", .int(now),
          .text(name))
      }
    }
    if let failure { throw failure }
    return gone.count
  }

  /// The objects in the bucket that the database does not know.
  ///
  /// Only a database that is older than the bucket can lack one: a copy that was put back, or a standby that had not
  /// heard of the last commits.
  func unknownObjects() async throws -> [String] {
    guard let bucket else { return [] }
    let names = try await bucket.names()
    // Rows come before their objects and go after them, so they are looked at last.
    return try await read { tables in
      try names.filter { name in
        try !tables.exists("SELECT 1 FROM objects WHERE name=?", .text(name))
      }
    }
  }

  /// Removes objects that the database does not know.
  func remove(unknown names: [String]) async throws -> Int {
    guard let bucket else { return 0 }
    let unknown = try await read { tables in
      try names.filter { name in
        try !tables.exists("SELECT 1 FROM objects WHERE name=?", .text(name))
      }
    }
    for name in unknown { try await bucket.delete(name) }
    return unknown.count
  }
}

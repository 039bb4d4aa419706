import SyncKitText
import SegmentFormat
public import SyncKit
import SyncWire

/// Keeps segments on a cloudsync server, over HTTP.
///
/// - The server numbers what it takes, so a quiet exchange costs one short answer.
/// - Small segments travel many at once, in both directions, at most 8 MiB in one request.
/// - A request whose answer was lost is sent again and has one effect.
/// - An account that was emptied, or whose server was restored, is filled again by each device that has the
///   segments; what was erased stays erased.
///
/// One object serves all domains of an account and keeps one connection. The wire is described in
/// Documentation/Formats/Wire.md.
public final class HTTPTransport: TrialTransport, ClearingTransport, ErasingTransport,
  RemovingTransport, PrefetchingTransport, IncrementalTransport
{
  let connection: ServerConnection
  private let coding: any SegmentCoding
  private let exchange = Exchange()

  /// Prepares; nothing is sent.
  ///
  /// - Throws: ``SyncError`` `config.invalid` for an address in the clear, and for certificates that
  ///   cannot be read.
  public init(
    _ settings: ServerAccess, coding: any SegmentCoding = DeflateSegmentCoding()
  ) throws {
    connection = try ServerConnection(settings)
    self.coding = coding
  }

  public func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    await exchange.begin(domain)
    // A known account tells its ids with its feed, which spares a request.
    if identity.isFollowed, identity.isKnown, !identity.vault.isEmpty,
      identity.consent == .none
    {
      await exchange.expect(identity, of: domain)
      return identity.vault
    }
    return try await settle(identity)
  }

  /// Finds out whose the account is, and makes it ready when it is new.
  private func settle(_ identity: RemoteIdentity) async throws -> Set<String> {
    let json = try await connection.json(.get("/vault"))
    var found: Set<String> = []
    for root in json["roots"]?.array ?? [] {
      guard let text = root.string, UUIDText.isUUID(text) else {
        throw ServerFailure.broken(connection.settings.address, "the id of a vault is not a UUID")
          .error
      }
      found.insert(text)
    }
    // An account stays whose it is when its content is lost; so an empty one is filled again.
    var identity = identity
    if found.isEmpty { identity.isKnown = false }
    let location = ServerFailure.name(connection.settings.address)
    switch try identity.decide(found: found, location: "The account on \(location)") {
    case .proceed(let write, let vault):
      for root in write.sorted() {
        try await connection.order(.order("PUT", "/vault/\(ServerRequest.escaped(root))"))
      }
      return vault
    }
  }

  public func inventory(of domain: String) async throws -> Inventory {
    try await inventory(of: domain, since: nil)
  }

  public func inventory(
    of domain: String, since position: FeedPosition?
  ) async throws -> Inventory {
    let reader = FeedReader(connection: connection, domain: domain)
    var (inventory, roots) = try await reader.inventory(since: position)
    // One that is empty or another's, or has got another id, is looked at as if it were new.
    if let identity = await exchange.identity(of: domain), identity.markers != roots {
      inventory.vault = try await settle(identity)
    }
    return inventory
  }

  public func expect(_ references: [SegmentReference], of domain: String) async {
    await exchange.expect(references, of: domain)
  }

  public func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    guard let cursor = UInt64(reference.location),
      let bytes = try await bytes(of: reference, cursor: cursor, domain)
    else { return nil }
    return try coding.read(bytes, for: reference, of: domain)
  }

  public func store(_ outbound: OutboundSegment) async throws {
    let segment = outbound.segment
    let domain = segment.info.domain
    guard segment.bytes.count <= WireProtocol.maximumSegmentBytes else {
      throw SyncError(.bug, "A segment of '\(domain)' is too large.")
    }
    let batch = await exchange.add(segment, of: domain)
    if !batch.isEmpty { try await send(batch, of: domain) }
  }

  public func tryStoring(_ sample: StoreSample, of domain: String) async throws {
    // Without a segment the server decides who may store and whether it can write, as with one.
    let request = ServerRequest(
      method: "POST", path: "/domains/\(ServerRequest.escaped(domain))/segments",
      bodyType: WireProtocol.segments)
    _ = try await connection.told { try await connection.answer(request) }
    let account: AccountState = try await connection.message(.get("/account"))
    guard let limit = account.maximumBytes, account.usedBytes + Int64(max(sample.bytes, 1)) > limit
    else { return }
    throw ServerFailure(
      status: WireError.Code.quota.status, WireError(.quota, ""), retryAfter: nil,
      from: connection.settings.address
    ).error
  }

  public var removal: SegmentRemoval { .proved }

  public func remove(_ references: [SegmentReference], of domain: String) async throws {
    var cursors = references.compactMap { Int64($0.location) }[...]
    while !cursors.isEmpty {
      let part = cursors.prefix(WireProtocol.batchCount)
      cursors = cursors.dropFirst(part.count)
      // What the server does not find to be held elsewhere stays, which is as good.
      _ = try await connection.json(
        .send(
          "POST", "/domains/\(ServerRequest.escaped(domain))/segments/remove",
          ["cursors": .array(part.map { .int($0) })]))
    }
  }

  public func clear(
    _ references: [SegmentReference], of domain: String
  ) async throws -> [SegmentReference] {
    var gone: Set<Int64> = []
    // The server looks into that many per request.
    let cursors = references.compactMap { Int64($0.location) }
    for start in stride(from: 0, to: cursors.count, by: WireProtocol.clearedCount) {
      let part = cursors[start..<min(start + WireProtocol.clearedCount, cursors.count)]
      let answer = try await connection.json(
        .send(
          "POST", "/domains/\(ServerRequest.escaped(domain))/segments/clear",
          ["cursors": .array(part.map { .int($0) })]))
      gone.formUnion(answer["cursors"]?.array?.compactMap(\.int) ?? [])
    }
    return references.filter { Int64($0.location).map(gone.contains) ?? false }
  }

  public func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    let path =
      "/domains/\(ServerRequest.escaped(domain))/zones/\(ServerRequest.escaped(zone.text))/erasure"
    var request = ServerRequest.send(
      "PUT", path, ["confirmations": ErasureConfirmations(confirmations).json])
    request.answerType = nil
    try await connection.order(request)
  }

  public func flush(_ domain: String) async throws {
    let batch = await exchange.rest(of: domain)
    if !batch.isEmpty { try await send(batch, of: domain) }
    if let error = await exchange.refusal(of: domain) { throw error }
  }

  // MARK: Bringing

  private func bytes(
    of reference: SegmentReference, cursor: UInt64, _ domain: String
  ) async throws -> [UInt8]? {
    if let bytes = await exchange.take(cursor, of: domain) { return bytes }
    let cursors = await exchange.batch(with: reference, cursor: cursor, of: domain)
    var request = ServerRequest.send(
      "POST", "/domains/\(ServerRequest.escaped(domain))/segments/fetch",
      ["cursors": .array(cursors.map { .int(Int64(clamping: $0)) })])
    request.answerType = WireProtocol.segments
    request.limit = WireProtocol.maximumSegmentBytes + WireProtocol.batchBytes
    let answer = try await connection.told { [request] in try await connection.answer(request) }
    let server = connection.settings.address
    let frames: [[UInt8]?]
    do {
      frames = try SegmentFrames.split(answer.body)
    } catch {
      throw ServerFailure.broken(server, error.message).error
    }
    guard !frames.isEmpty, frames.count <= cursors.count,
      answer.frames ?? frames.count == frames.count
    else {
      throw ServerFailure.broken(server, "it answers with \(Plural(frames.count, "segment"))").error
    }
    await exchange.fill(cursors, frames, of: domain)
    return await exchange.take(cursor, of: domain)
  }

  // MARK: Sending

  /// Sends segments, in halves when the server finds them too much.
  private func send(_ segments: [Segment], of domain: String) async throws {
    var body: [UInt8] = []
    body.reserveCapacity(segments.reduce(0) { $0 + $1.bytes.count + 4 })
    for segment in segments { SegmentFrames.append(segment.bytes, to: &body) }
    let request = ServerRequest(
      method: "POST", path: "/domains/\(ServerRequest.escaped(domain))/segments", body: body,
      bodyType: WireProtocol.segments)
    let answer: ServerAnswer
    do {
      answer = try await connection.answer(request)
    } catch let failure as ServerFailure {
      guard failure.refusal?.code == .tooLarge, segments.count > 1 else { throw failure.error }
      let middle = segments.count / 2
      try await send(Array(segments[..<middle]), of: domain)
      return try await send(Array(segments[middle...]), of: domain)
    }
    let results = try results(in: answer)
    guard results.count == segments.count else {
      throw ServerFailure.broken(
        connection.settings.address,
        "it gives \(results.count) results for \(Plural(segments.count, "segment"))"
      ).error
    }
    for (segment, result) in zip(segments, results) where result.status == .refused {
      await exchange.note(result.error, for: segment, at: connection.settings.address)
    }
  }

  private func results(in answer: ServerAnswer) throws -> [StoreResult] {
    do {
      let json = try JSON(parsing: answer.body, maximumDepth: WireProtocol.maximumDepth)
      return try (json["results"]?.array ?? []).map { try StoreResult(json: $0) }
    } catch {
      throw ServerFailure.broken(
        connection.settings.address, "its answer to segments cannot be read"
      ).error
    }
  }
}

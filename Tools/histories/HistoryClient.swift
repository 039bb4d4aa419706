import SyncKitFormats
import HistoryChecks
import SegmentFormat
import SyncKit
import SyncKitTesting
import SyncWire

/// One client of a run: its seed decides its actions, and the recorder takes its observations.
struct HistoryClient {
  static let domain = "histories"
  static let sharedZone: ZoneID = "shared"
  static let device = "the-device"

  let number: Int
  var owner: WireCaller
  let guest: WireCaller
  let share: String
  let recorder: Recorder
  let book: SegmentBook
  private var random: SeededRandom
  private let series: ReplicaID
  private var written: UInt64 = 0
  private var sent: [Segment] = []
  private var place: (epoch: String, cursor: UInt64)?
  /// What it has read of the feed.
  private var held: Set<FeedHistory.Entry> = []
  /// Its segments whose storing was acknowledged, and when.
  private var acknowledged: [String: UInt64] = [:]
  /// Whether it sends again what the server has acknowledged and does not list, as devices do.
  var heals = false
  /// The guest's access, as the client that gives and takes it knows.
  private var participant: String?

  init(
    number: Int, seed: UInt64, owner: WireCaller, guest: WireCaller, share: String,
    recorder: Recorder, book: SegmentBook
  ) {
    self.number = number
    self.owner = owner
    self.guest = guest
    self.share = share
    self.recorder = recorder
    self.book = book
    random = SeededRandom(seed: seed &* 1_000 &+ UInt64(number))
    series = ReplicaID(high: seed, low: UInt64(number) + 1)
  }

  /// Takes one action.
  mutating func step() async {
    let dice = Int.random(in: 0..<100, using: &random)
    switch number {
    case 0:
      switch dice {
      case 0..<30: await decide()
      case 30..<70: await store(1, in: Self.sharedZone)
      default: await readFeed()
      }
    case 6, 7: dice < 60 ? await readAsGuest() : await peekAsGuest()
    default:
      switch dice {
      case 0..<35: await store(Int.random(in: 1...3, using: &random), in: .home)
      case 35..<50: await sendAgain()
      case 50..<85: await readFeed()
      case 85..<93: await writeRegister()
      default: await readRegister()
      }
    }
  }

  // MARK: Storing

  private mutating func store(_ count: Int, in zone: ZoneID) async {
    var segments: [Segment] = []
    for _ in 0..<count {
      written += 1
      guard let segment = try? SegmentBook.make(zone, series, written) else { continue }
      segments.append(segment)
    }
    sent += segments
    await send(segments)
  }

  private mutating func sendAgain() async {
    guard let segment = sent.randomElement(using: &random) else { return }
    await send([segment])
  }

  private mutating func send(_ segments: [Segment]) async {
    book.add(segments)
    var body: [UInt8] = []
    for segment in segments { SegmentFrames.append(segment.bytes, to: &body) }
    let start = recorder.now
    let answer = await owner.call(
      "POST", "/domains/\(Self.domain)/segments", body, WireProtocol.segments)
    let end = recorder.now
    var results: [StoreResult?] = segments.map { _ in nil }
    var isRefused = false
    switch answer {
    case .done(let bytes):
      let json = try? JSON(parsing: bytes)
      let read = (json?["results"]?.array ?? []).map { try? StoreResult(json: $0) }
      if read.count == segments.count { results = read }
    case .refused: isRefused = true
    case .unknown: break
    }
    for (segment, result) in zip(segments, results)
    where result?.status == .stored || result?.status == .known {
      acknowledged[SegmentBook.name(segment.info)] = end
    }
    recorder.note(isUnknown: results.contains { $0 == nil } && !isRefused) { histories in
      for (segment, result) in zip(segments, results) {
        let name = SegmentBook.name(segment.info)
        let isDone = result.map { $0.status == .stored || $0.status == .known } ?? false
        let refusal = isRefused || (result != nil && !isDone)
        let outcome: Call<String>.Outcome = isDone ? .done : refusal ? .refused : .unknown
        histories.elements.additions.append(
          Call(client: number, start: start, end: end, outcome: outcome, value: name))
        histories.feed.stores.append(
          Call(
            client: number, start: start, end: end,
            outcome: isDone ? .done : refusal ? .refused : .unknown,
            value: (name, result?.cursor)))
        histories.retries.sends.append(
          Call(
            client: number, start: start, end: end,
            outcome: isDone ? .done : refusal ? .refused : .unknown,
            value: RetryHistory.Answer(
              name, isNew: result?.status == .stored, cursor: result?.cursor ?? 0)))
        if segment.info.zone == Self.sharedZone {
          histories.share.stores.append(
            Call(client: number, start: start, end: end, outcome: outcome, value: name))
        }
      }
    }
  }

  // MARK: Reading the feed

  private mutating func readFeed() async {
    _ = await readPage(limit: Int.random(in: 1...60, using: &random))
  }

  /// Reads the feed to its end.
  ///
  /// - Returns: Whether it got there.
  mutating func catchUp() async -> Bool {
    while let page = await readPage(limit: 500) {
      if !page.hasMore { return true }
    }
    return false
  }

  /// Hands in what it has read, after ``catchUp()``.
  func handIn() {
    recorder.note { $0.readers.held[number] = held }
  }

  private mutating func readPage(limit: Int) async -> FeedPage? {
    let start = recorder.now
    let answer = await page(of: owner, behind: place, limit: limit)
    let end = recorder.now
    guard let page = answer else {
      recorder.note(isUnknown: true) { _ in }
      return nil
    }
    let after = page.isContinuation ? place?.cursor ?? 0 : 0
    if !page.isContinuation { held = [] }
    held.formUnion(page.segments.map { FeedHistory.Entry($0.cursor, SegmentBook.name($0)) })
    place = (page.epoch, page.cursor)
    recorder.note { $0.note(page, after: after, client: number, start, end) }
    if heals, !page.hasMore { await heal(since: start) }
    return page
  }

  /// Sends again what was acknowledged before a reading that did not bring it.
  private mutating func heal(since start: UInt64) async {
    let listed = Set(held.map(\.name))
    let lost = sent.filter { segment in
      let name = SegmentBook.name(segment.info)
      guard let end = acknowledged[name], !listed.contains(name) else { return false }
      return end + recorder.staleness < start
    }
    if !lost.isEmpty { await send(lost) }
  }

  private func page(
    of caller: WireCaller, behind place: (epoch: String, cursor: UInt64)?, limit: Int
  ) async -> FeedPage? {
    let position = place.map { "epoch=\($0.epoch)&after=\($0.cursor)&" } ?? ""
    let answer = await caller.call("GET", "/domains/\(Self.domain)/feed?\(position)limit=\(limit)")
    guard case .done(let bytes) = answer, let json = try? JSON(parsing: bytes) else { return nil }
    return try? FeedPage(json: json)
  }

  /// Reads everything from the start, at the end of the run, and checks every content.
  func readAll() async -> Bool {
    recorder.note { $0.readers.feed = [] }
    let start = recorder.now
    var place: (epoch: String, cursor: UInt64)?
    var names: [String] = []
    var cursors: [UInt64: String] = [:]
    while true {
      let began = recorder.now
      guard let page = await page(of: owner, behind: place, limit: 500) else { return false }
      let after = page.isContinuation ? place?.cursor ?? 0 : 0
      let end = recorder.now
      recorder.note { $0.note(page, after: after, client: number, began, end) }
      for entry in page.segments {
        names.append(SegmentBook.name(entry))
        cursors[entry.cursor] = SegmentBook.name(entry)
      }
      let read = page.segments.map { FeedHistory.Entry($0.cursor, SegmentBook.name($0)) }
      recorder.note { $0.readers.feed += read }
      place = (page.epoch, page.cursor)
      if !page.hasMore { break }
    }
    let end = recorder.now
    recorder.note {
      $0.elements.reads.append(Call(client: number, start: start, end: end, value: names))
    }
    let asked = cursors.keys.sorted()
    for index in stride(from: 0, to: asked.count, by: 500) {
      let part = Array(asked[index..<min(index + 500, asked.count)])
      guard let frames = await fetch(part, as: owner), frames.count == part.count else {
        return false
      }
      for (cursor, frame) in zip(part, frames) where frame != book.bytes(cursors[cursor] ?? "") {
        recorder.note {
          $0.wrongContents.append(
            Violation("\(cursors[cursor] ?? "?") has other content than was stored"))
        }
      }
    }
    return true
  }

  private func fetch(_ cursors: [UInt64], as caller: WireCaller) async -> [[UInt8]?]? {
    let answer = await caller.call(
      "POST", "/domains/\(Self.domain)/segments/fetch",
      ["cursors": .array(cursors.map { .int(Int64($0)) })])
    guard case .done(let bytes) = answer else { return nil }
    return try? SegmentFrames.split(bytes)
  }

  // MARK: The register

  private mutating func writeRegister() async {
    let value = "\(number)-\(Int.random(in: 0..<1_000_000_000, using: &random))"
    let start = recorder.now
    let answer = await owner.call("PATCH", "/devices/\(Self.device)", ["name": .string(value)])
    let end = recorder.now
    let outcome: Call<RegisterHistory.Action>.Outcome =
      switch answer {
      case .done: .done
      case .refused: .refused
      case .unknown: .unknown
      }
    recorder.note(isUnknown: outcome == .unknown) {
      $0.register.calls.append(
        Call(client: number, start: start, end: end, outcome: outcome, value: .write(value)))
    }
  }

  private func readRegister() async {
    let start = recorder.now
    let answer = await owner.call("GET", "/devices")
    let end = recorder.now
    guard case .done(let bytes) = answer, let json = try? JSON(parsing: bytes),
      let devices = json["devices"]?.array?.compactMap({ try? WireDevice(json: $0) })
    else { return recorder.note(isUnknown: true) { _ in } }
    let name = devices.first { $0.device.id == Self.device }?.device.name
    recorder.note {
      $0.register.calls.append(Call(client: number, start: start, end: end, value: .read(name)))
    }
  }

  // MARK: The share

  private mutating func decide() async {
    if let participant {
      let start = recorder.now
      let answer = await owner.call("DELETE", "/shares/\(share)/participants/\(participant)")
      if case .done = answer { self.participant = nil }
      note(answer, .take, start)
    } else {
      let invited = await owner.call(
        "POST", "/shares/\(share)/invitations", InvitationRequest(role: .reader, name: "Guest").json
      )
      guard case .done(let bytes) = invited, let json = try? JSON(parsing: bytes),
        let invitation = try? Invitation(json: json)
      else { return recorder.note(isUnknown: true) { _ in } }
      let start = recorder.now
      let answer = await guest.call(
        "POST", "/invitations/accept", ["secret": .string(invitation.secret)])
      participant = invitation.participant.id
      if case .done(let bytes) = answer, let json = try? JSON(parsing: bytes),
        let share = try? WireShare(json: json), let own = share.participants.first
      {
        participant = own.id
      }
      note(answer, .give, start)
    }
  }

  private func note(
    _ answer: WireCaller.Answer, _ decision: ShareHistory.Decision, _ start: UInt64
  ) {
    let end = recorder.now
    let outcome: Call<ShareHistory.Decision>.Outcome =
      switch answer {
      case .done: .done
      case .refused: .refused
      case .unknown: .unknown
      }
    recorder.note(isUnknown: outcome == .unknown) {
      $0.share.decisions.append(
        Call(client: number, start: start, end: end, outcome: outcome, value: decision))
    }
  }

  private func readAsGuest() async {
    let start = recorder.now
    guard let page = await page(of: guest, behind: nil, limit: 5_000), !page.hasMore else {
      return recorder.note(isUnknown: true) { _ in }
    }
    let end = recorder.now
    let names = Set(page.segments.map { SegmentBook.name($0) })
    book.learn(page.segments)
    recorder.note {
      $0.share.reads.append(Call(client: number, start: start, end: end, value: names))
    }
  }

  private func peekAsGuest() async {
    let known = book.cursors
    guard !known.isEmpty else { return }
    let start = recorder.now
    guard let frames = await fetch(Array(known.prefix(50)), as: guest) else {
      return recorder.note(isUnknown: true) { _ in }
    }
    let end = recorder.now
    let names = Set(zip(known, frames).compactMap { $1 == nil ? nil : "\($0)" })
    recorder.note {
      $0.share.peeks.append(Call(client: number, start: start, end: end, value: names))
    }
  }
}

extension Recorder.Histories {
  /// Records a page of the feed.
  mutating func note(
    _ page: FeedPage, after: UInt64, client: Int, _ start: UInt64, _ end: UInt64
  ) {
    if !page.isContinuation { beginnings += 1 }
    epochs.insert(page.epoch)
    feed.pages.append(
      Call(
        client: client, start: start, end: end,
        value: FeedHistory.Page(
          after: after,
          entries: page.segments.map { FeedHistory.Entry($0.cursor, SegmentBook.name($0)) },
          cursor: page.cursor, hasMore: page.hasMore, epoch: page.epoch)))
  }
}

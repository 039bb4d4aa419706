import HistoryChecks
import SegmentFormat
import SyncKit
import SyncKitFormats
import SyncWire

/// What each history begins with.
enum HistoryStage {
  /// Creates the shared zone and the device whose name is the register; returns the share's id.
  static func prepare(
    _ owner: WireCaller, seed: UInt64, _ recorder: Recorder, _ book: SegmentBook
  ) async throws -> String {
    func done(_ answer: WireCaller.Answer, _ what: String) throws -> JSON {
      guard case .done(let bytes) = answer else {
        throw SyncError(.failure, "Could not prepare a history: \(what).", cause: "\(answer)")
      }
      return bytes.isEmpty ? .null : try JSON(parsing: bytes)
    }
    let code = try PairingCode(
      json: done(await owner.call("POST", "/pairings", [:]), "no code")
    ).code
    _ = try done(
      await owner.call(
        "POST", "/join",
        JoinRequest(code: code, device: WireName(id: HistoryClient.device, name: "0")).json),
      "no device joined")
    let segment = try SegmentBook.make(
      HistoryClient.sharedZone, ReplicaID(high: seed, low: 99), 1)
    book.add([segment])
    var body: [UInt8] = []
    SegmentFrames.append(segment.bytes, to: &body)
    let start = recorder.now
    _ = try done(
      await owner.call(
        "POST", "/domains/\(HistoryClient.domain)/segments", body, WireProtocol.segments),
      "nothing was stored")
    let name = SegmentBook.name(segment.info)
    recorder.note { histories in
      histories.elements.additions.append(
        Call(client: 0, start: start, end: recorder.now, value: name))
      histories.share.stores.append(
        Call(client: 0, start: start, end: recorder.now, value: name))
    }
    let request = ShareRequest(
      domain: HistoryClient.domain, zone: HistoryClient.sharedZone, title: "Shared")
    return try WireShare(json: done(await owner.call("POST", "/shares", request.json), "no share"))
      .id
  }
}

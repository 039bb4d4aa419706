import SyncKitFormats
import SyncWire

extension FuzzTarget {
  /// The messages between a server and a device.
  static let wire: [FuzzTarget] = [
    FuzzTarget(
      "frames", samples: { [[0, 0, 0, 2, 1, 2, 0, 0, 0, 0]] },
      body: { bytes in
        var again: [UInt8] = []
        for frame in try SegmentFrames.split(bytes) { SegmentFrames.append(frame, to: &again) }
        if again != bytes { fail("frames do not survive a round trip") }
      }),
    FuzzTarget(
      "wire-messages",
      texts: [
        #"{"id":"a","name":"b"}"#,
        #"{"entries":[],"cursor":1,"epoch":"e","head":2,"more":false}"#,
        #"{"code":"x","device":{"id":"a","name":"b"}}"#,
        #"{"domain":"a","zone":"home","title":"t","role":"reader","name":"n"}"#,
        #"{"error":{"code":"forbidden","message":"m"}}"#,
      ],
      body: { bytes in
        let json = try JSON(parsing: bytes, maximumDepth: WireProtocol.maximumDepth)
        for type in messages { roundTrip(type, json) }
      }),
  ]

  private static let messages: [any WireMessage.Type] = [
    WireName.self, JoinRequest.self, Joined.self, AccountState.self, WireDevice.self,
    PairingCode.self, WireToken.self, FeedEntry.self, FeedPage.self, ErasureConfirmations.self,
    StoreResult.self, WireError.self, WireShare.self, WireParticipant.self, ShareRequest.self,
    InvitationRequest.self, Invitation.self,
  ]

  private static func roundTrip(_ type: any WireMessage.Type, _ json: JSON) {
    guard let message = try? type.init(json: json) else { return }
    guard let again = try? type.init(json: message.json) else {
      fail("\(type) does not read what it wrote")
    }
    if again.json.text() != message.json.text() { fail("\(type) does not survive a round trip") }
  }
}

public import SyncKitText

/// What ends, or has ended, together with a device or a token, and what stays of those it has let in.
public struct Ended: WireMessage, Equatable {
  /// A person's part in a share.
  public struct Part: WireMessage, Hashable {
    /// The share, by its title.
    public var share: WireName
    /// The invited person.
    public var participant: WireParticipant

    /// Names a part.
    public init(share: WireName, participant: WireParticipant) {
      self.share = share
      self.participant = participant
    }

    public init(json: JSON) throws(WireFault) {
      share = try json.message("share")
      participant = try json.message("participant")
    }

    public var json: JSON { ["share": share.json, "participant": participant.json] }
  }

  /// The tokens that were made with it, and with those; they end.
  public var tokens: [WireToken] = []
  /// How many codes for pairing were open; they end.
  public var codes = 0
  /// The invitations not yet accepted; they end.
  public var invitations: [Part] = []
  /// The devices that joined by its codes; they stay.
  public var joined: [WireName] = []
  /// The people who accepted its invitations; they stay.
  public var guests: [Part] = []

  /// Nothing.
  public init() {}

  public init(json: JSON) throws(WireFault) {
    tokens = try json.messages("tokens")
    codes = Int(clamping: try json.natural("codes"))
    invitations = try json.messages("invitations")
    joined = try json.messages("joined")
    guests = try json.messages("guests")
  }

  public var json: JSON {
    [
      "tokens": .array(tokens.map(\.json)), "codes": .int(Int64(codes)),
      "invitations": .array(invitations.map(\.json)), "joined": .array(joined.map(\.json)),
      "guests": .array(guests.map(\.json)),
    ]
  }
}

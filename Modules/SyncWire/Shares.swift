public import SyncKitText
public import SyncKit

/// A zone in which others than its owner have a part, as the caller sees it.
public struct WireShare: WireMessage {
  /// A random id.
  public var id: String
  /// The domain.
  public var domain: String
  /// The zone.
  public var zone: ZoneID
  /// What the owner calls it.
  public var title: String
  /// The part of the caller.
  public var role: ZoneAccess.Role
  /// The owner.
  public var owner: WireName
  /// All others who have or had a part; a guest sees only itself.
  public var participants: [WireParticipant]

  /// Describes a share.
  public init(
    id: String, domain: String, zone: ZoneID, title: String, role: ZoneAccess.Role,
    owner: WireName, participants: [WireParticipant]
  ) {
    self.id = id
    self.domain = domain
    self.zone = zone
    self.title = title
    self.role = role
    self.owner = owner
    self.participants = participants
  }

  public init(json: JSON) throws(WireFault) {
    id = try json.text("id")
    domain = try json.text("domain")
    zone = ZoneID(try json.text("zone"))
    title = try json.text("title")
    role = ZoneAccess.Role(rawValue: try json.text("role")) ?? .removed
    owner = try json.message("owner")
    participants = try json.messages("participants")
  }

  public var json: JSON {
    [
      "id": .string(id), "domain": .string(domain), "zone": .string(zone.text),
      "title": .string(title), "role": .string(role.rawValue), "owner": owner.json,
      "participants": .array(participants.map(\.json)),
    ]
  }
}

/// A person who has, had or is offered a part in a share.
public struct WireParticipant: WireMessage, Hashable {
  /// How far it has come.
  public enum State: String, Sendable {
    /// Invited; the invitation is not accepted yet.
    case pending
    /// Takes part.
    case accepted
    /// Took part once.
    case removed
  }

  /// A random id.
  public var id: String
  /// The name of the account; of a pending one what the owner called it.
  public var name: String
  /// Reader or writer.
  public var role: ZoneAccess.Role
  /// How far it has come.
  public var state: State
  /// What the guest has shown of its keys, for an encrypted share; the server cannot read it.
  public var card: String?

  /// The most bytes that a card has.
  public static let cardLimit = 2_048

  /// Describes a participant.
  public init(
    id: String, name: String, role: ZoneAccess.Role, state: State, card: String? = nil
  ) {
    self.id = id
    self.name = name
    self.role = role
    self.state = state
    self.card = card
  }

  public init(json: JSON) throws(WireFault) {
    id = try json.text("id")
    name = try json.text("name")
    role = ZoneAccess.Role(rawValue: try json.text("role")) ?? .reader
    state = State(rawValue: try json.text("state")) ?? .removed
    card = try json.optionalText("card")
  }

  public var json: JSON {
    var object: JSONObject = [
      "id": .string(id), "name": .string(name), "role": .string(role.rawValue),
      "state": .string(state.rawValue),
    ]
    if let card { object["card"] = .string(card) }
    return .object(object)
  }
}

/// What is sent to share a zone.
public struct ShareRequest: WireMessage {
  /// The domain.
  public var domain: String
  /// The zone; it must be the account's own.
  public var zone: ZoneID
  /// What to call it.
  public var title: String

  /// Asks to share.
  public init(domain: String, zone: ZoneID, title: String) {
    self.domain = domain
    self.zone = zone
    self.title = title
  }

  public init(json: JSON) throws(WireFault) {
    domain = try json.text("domain")
    zone = ZoneID(try json.text("zone"))
    title = try json.text("title")
  }

  public var json: JSON {
    ["domain": .string(domain), "zone": .string(zone.text), "title": .string(title)]
  }
}

/// What is sent to invite a person to a share.
public struct InvitationRequest: WireMessage {
  /// Reader or writer.
  public var role: ZoneAccess.Role
  /// What the owner calls the guest.
  public var name: String

  /// Asks for an invitation.
  public init(role: ZoneAccess.Role, name: String) {
    self.role = role
    self.name = name
  }

  public init(json: JSON) throws(WireFault) {
    let text = try json.text("role")
    guard let role = ZoneAccess.Role(rawValue: text), role == .reader || role == .writer else {
      throw WireFault("'role' must be 'reader' or 'writer'")
    }
    self.role = role
    name = try json.text("name")
  }

  public var json: JSON { ["role": .string(role.rawValue), "name": .string(name)] }
}

/// An invitation as the owner gets it, once.
public struct Invitation: WireMessage {
  /// The participant that it makes, pending.
  public var participant: WireParticipant
  /// What the guest has to show; it stands in the fragment of the link, so that no server logs it.
  public var secret: String
  /// Milliseconds since 1970 when it ends.
  public var expires: Int64

  /// Describes an invitation.
  public init(participant: WireParticipant, secret: String, expires: Int64) {
    self.participant = participant
    self.secret = secret
    self.expires = expires
  }

  public init(json: JSON) throws(WireFault) {
    participant = try json.message("participant")
    secret = try json.text("secret")
    expires = try json.number("expires")
  }

  public var json: JSON {
    ["participant": participant.json, "secret": .string(secret), "expires": .int(expires)]
  }
}

/// What is sent to accept an invitation.
public struct Acceptance: WireMessage {
  /// The secret of the invitation.
  public var secret: String
  /// What the guest shows of its keys, for an encrypted share: at most ``WireParticipant/cardLimit`` bytes.
  public var card: String?

  /// Accepts an invitation; once more with another card replaces the card.
  public init(secret: String, card: String? = nil) {
    self.secret = secret
    self.card = card
  }

  public init(json: JSON) throws(WireFault) {
    secret = try json.text("secret")
    card = try json.optionalText("card")
  }

  public var json: JSON {
    var object: JSONObject = ["secret": .string(secret)]
    if let card { object["card"] = .string(card) }
    return .object(object)
  }
}

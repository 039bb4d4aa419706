public import SyncKitText

/// An id and a name on a server, of an account, a device or another thing.
public struct WireName: WireMessage, Hashable {
  /// A random id.
  public var id: String
  /// What people call it.
  public var name: String

  /// Names a person or a thing.
  public init(id: String, name: String) {
    self.id = id
    self.name = name
  }

  public init(json: JSON) throws(WireFault) {
    id = try json.text("id")
    name = try json.text("name")
  }

  public var json: JSON { ["id": .string(id), "name": .string(name)] }
}

/// What is sent to join an account, by a code that one of its devices or the server has given out.
public struct JoinRequest: WireMessage {
  /// The code.
  public var code: String
  /// The device that joins: its own id and name.
  public var device: WireName

  /// Asks to join.
  public init(code: String, device: WireName) {
    self.code = code
    self.device = device
  }

  public init(json: JSON) throws(WireFault) {
    code = try json.text("code")
    device = try json.message("device")
  }

  public var json: JSON { ["code": .string(code), "device": device.json] }
}

/// The answer to a device that has joined.
public struct Joined: WireMessage {
  /// The account it belongs to now.
  public var account: WireName
  /// The device's token; it is shown only here.
  public var token: String
  /// When the token ends, in milliseconds since 1970; nil for never.
  public var expires: Int64?

  /// Describes what the device has got.
  public init(account: WireName, token: String, expires: Int64?) {
    self.account = account
    self.token = token
    self.expires = expires
  }

  public init(json: JSON) throws(WireFault) {
    account = try json.message("account")
    token = try json.text("token")
    expires = try json.optionalNumber("expires")
  }

  public var json: JSON {
    var object: JSONObject = ["account": account.json, "token": .string(token)]
    if let expires { object["expires"] = .int(expires) }
    return .object(object)
  }
}

/// How an account stands.
public struct AccountState: WireMessage {
  /// The account.
  public var account: WireName
  /// The scopes of the token that asks.
  public var scopes: [TokenScope]
  /// Bytes of segments that count for the account.
  public var usedBytes: Int64
  /// Changes of records that count for the account.
  public var usedRecords: Int64
  /// How many devices the account has.
  public var usedDevices: Int64
  /// How many bytes it may have; nil for no limit.
  public var maximumBytes: Int64?
  /// How many changes of records it may have; nil for no limit.
  public var maximumRecords: Int64?
  /// How many devices the host lets it have; nil for as many as the server lets any account have.
  public var maximumDevices: Int64?

  /// Describes an account.
  public init(
    account: WireName, scopes: [TokenScope], usedBytes: Int64, usedRecords: Int64,
    usedDevices: Int64, maximumBytes: Int64?, maximumRecords: Int64?, maximumDevices: Int64?
  ) {
    self.usedDevices = usedDevices
    self.maximumDevices = maximumDevices
    self.account = account
    self.scopes = scopes
    self.usedBytes = usedBytes
    self.usedRecords = usedRecords
    self.maximumBytes = maximumBytes
    self.maximumRecords = maximumRecords
  }

  public init(json: JSON) throws(WireFault) {
    account = try json.message("account")
    scopes = try json.texts("scopes").compactMap(TokenScope.init(rawValue:))
    guard let used = json["used"] else { throw WireFault("'used' is missing") }
    usedBytes = try used.number("bytes")
    usedRecords = try used.number("records")
    usedDevices = try used.number("devices")
    maximumDevices = try json["quota"]?.optionalNumber("devices")
    maximumBytes = try json["quota"]?.optionalNumber("bytes")
    maximumRecords = try json["quota"]?.optionalNumber("records")
  }

  public var json: JSON {
    var quota = JSONObject()
    if let maximumBytes { quota["bytes"] = .int(maximumBytes) }
    if let maximumRecords { quota["records"] = .int(maximumRecords) }
    if let maximumDevices { quota["devices"] = .int(maximumDevices) }
    return [
      "account": account.json, "scopes": .array(scopes.map { .string($0.rawValue) }),
      "used": [
        "bytes": .int(usedBytes), "records": .int(usedRecords), "devices": .int(usedDevices),
      ], "quota": .object(quota),
    ]
  }
}

/// A device of an account.
public struct WireDevice: WireMessage, Hashable {
  /// The device.
  public var device: WireName
  /// Milliseconds since 1970 when it joined.
  public var joined: Int64
  /// Milliseconds since 1970 when it was last heard of; nil when never.
  public var lastSeen: Int64?
  /// Whether it is the one that asks.
  public var isSelf: Bool
  /// The device whose code let it in; nil when the host's did.
  public var by: WireName?

  /// Describes a device.
  public init(
    device: WireName, joined: Int64, lastSeen: Int64?, isSelf: Bool, by: WireName? = nil
  ) {
    self.by = by
    self.device = device
    self.joined = joined
    self.lastSeen = lastSeen
    self.isSelf = isSelf
  }

  public init(json: JSON) throws(WireFault) {
    device = try WireName(json: json)
    joined = try json.number("joined")
    lastSeen = try json.optionalNumber("lastSeen")
    isSelf = try json.flag("self")
    by = json["by"] == nil ? nil : try json.message("by")
  }

  public var json: JSON {
    var object: JSONObject = [
      "id": .string(device.id), "name": .string(device.name), "joined": .int(joined),
      "self": .bool(isSelf),
    ]
    if let lastSeen { object["lastSeen"] = .int(lastSeen) }
    if let by { object["by"] = by.json }
    return .object(object)
  }
}

/// A code with which one more device may join.
public struct PairingCode: WireMessage {
  /// The code, such as `4F7K-92QD`.
  public var code: String
  /// Milliseconds since 1970 when it ends.
  public var expires: Int64

  /// Describes a code.
  public init(code: String, expires: Int64) {
    self.code = code
    self.expires = expires
  }

  public init(json: JSON) throws(WireFault) {
    code = try json.text("code")
    expires = try json.number("expires")
  }

  public var json: JSON { ["code": .string(code), "expires": .int(expires)] }
}

/// What a token may do.
public enum TokenScope: String, Sendable, CaseIterable {
  /// Read the account's data.
  case read
  /// Read and write them; it includes ``read``.
  case sync
  /// See and change devices, tokens and shares; it includes ``sync``.
  case manage
}

/// A token of an account, without its secret.
public struct WireToken: WireMessage, Hashable {
  /// The public part, which names it.
  public var id: String
  /// What it is for.
  public var name: String
  /// What it may do.
  public var scope: TokenScope
  /// Milliseconds since 1970 when it was made.
  public var created: Int64
  /// Milliseconds since 1970 when it ends; nil for never.
  public var expires: Int64?
  /// Milliseconds since 1970 of its last use; nil when never used.
  public var lastUsed: Int64?
  /// The whole token; only in the answer that makes it.
  public var secret: String?
  /// The device that it is the token of; nil for one that was made by hand.
  public var device: String?
  /// The device that made it, itself or through other tokens; nil for a device's own and the host's.
  public var by: WireName?
  /// The token by which it was made, by its public part; nil as for `by`.
  public var maker: String?

  /// Describes a token.
  public init(
    id: String, name: String, scope: TokenScope, created: Int64, expires: Int64?,
    lastUsed: Int64? = nil, secret: String? = nil, device: String? = nil, by: WireName? = nil,
    maker: String? = nil
  ) {
    self.device = device
    self.by = by
    self.maker = maker
    self.id = id
    self.name = name
    self.scope = scope
    self.created = created
    self.expires = expires
    self.lastUsed = lastUsed
    self.secret = secret
  }

  public init(json: JSON) throws(WireFault) {
    id = try json.text("id")
    name = try json.text("name")
    let text = try json.text("scope")
    guard let scope = TokenScope(rawValue: text) else { throw WireFault("'scope' is '\(text)'") }
    self.scope = scope
    created = try json.number("created")
    expires = try json.optionalNumber("expires")
    lastUsed = try json.optionalNumber("lastUsed")
    secret = try json.optionalText("token")
    device = try json.optionalText("device")
    by = json["by"] == nil ? nil : try json.message("by")
    maker = try json.optionalText("maker")
  }

  public var json: JSON {
    var object: JSONObject = [
      "id": .string(id), "name": .string(name), "scope": .string(scope.rawValue),
      "created": .int(created),
    ]
    if let expires { object["expires"] = .int(expires) }
    if let lastUsed { object["lastUsed"] = .int(lastUsed) }
    if let secret { object["token"] = .string(secret) }
    if let device { object["device"] = .string(device) }
    if let by { object["by"] = by.json }
    if let maker { object["maker"] = .string(maker) }
    return .object(object)
  }
}

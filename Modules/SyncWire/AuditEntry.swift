public import SyncKitText

/// A line of an account's audit log.
public struct AuditEntry: WireMessage, Equatable {
  /// Milliseconds since 1970.
  public var at: Int64
  /// The device that answers for it: by its own token or by one that it made; nil for the host's doing.
  public var device: String?
  /// What that device is called, also after it is gone; nil when unknown.
  public var deviceName: String?
  /// The token by which it was done, by its public part; nil for a device's own.
  public var token: String?
  /// What that token is called, also after it has ended; nil when unknown.
  public var tokenName: String?
  /// What was done, such as `device.remove`.
  public var action: String
  /// To what.
  public var subject: String
  /// What the subject was called at that moment; nil when it has no name.
  public var name: String?
  /// Where the request came from; `local` for what the host did, `guest` for what a guest did.
  public var address: String

  /// Describes what was done.
  public init(
    at: Int64, device: String?, deviceName: String? = nil, token: String? = nil,
    tokenName: String? = nil, action: String, subject: String, name: String? = nil,
    address: String
  ) {
    self.at = at
    self.device = device
    self.deviceName = deviceName
    self.token = token
    self.tokenName = tokenName
    self.action = action
    self.subject = subject
    self.name = name
    self.address = address
  }

  public init(json: JSON) throws(WireFault) {
    at = try json.number("at")
    device = try json.optionalText("device")
    deviceName = try json.optionalText("deviceName")
    token = try json.optionalText("token")
    tokenName = try json.optionalText("tokenName")
    action = try json.text("action")
    subject = try json.text("subject")
    name = try json.optionalText("name")
    address = try json.text("address")
  }

  public var json: JSON {
    var object: JSONObject = [
      "at": .int(at), "action": .string(action), "subject": .string(subject),
      "address": .string(address),
    ]
    if let device { object["device"] = .string(device) }
    if let deviceName { object["deviceName"] = .string(deviceName) }
    if let token { object["token"] = .string(token) }
    if let tokenName { object["tokenName"] = .string(tokenName) }
    if let name { object["name"] = .string(name) }
    return .object(object)
  }
}

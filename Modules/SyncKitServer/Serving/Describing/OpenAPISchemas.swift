import SyncKitText
import SyncKit
import SyncWire

/// The schemas of what travels, by the names that the table of routes calls them.
enum OpenAPISchemas {
  /// All schemas in the order of their names.
  static let all: [(name: String, schema: JSON)] = (requests + answers + parts).sorted {
    $0.name < $1.name
  }

  // MARK: What is sent

  private static let requests: [(name: String, schema: JSON)] = [
    (
      "JoinRequest",
      object(["code": text(upTo: 64), "device": object(["id": device, "name": name])])
    ),
    ("Name", object(["name": name])),
    (
      "TokenRequest",
      object(["name": name, "scope": reference("TokenScope")], optional: ["expires": time])
    ),
    ("Cursors", object(["cursors": list(cursor, upTo: WireProtocol.batchCount)])),
    ("Erasure", object(["confirmations": reference("ErasureConfirmations")])),
    ("ShareRequest", object(["domain": folder, "zone": folder, "title": name])),
    ("InvitationRequest", object(["role": reference("GivenRole"), "name": name])),
    ("Role", object(["role": reference("GivenRole")])),
    (
      "Acceptance",
      object(
        ["secret": text(upTo: 200)],
        optional: ["card": text(upTo: Int64(WireParticipant.cardLimit))])
    ),
  ]

  // MARK: What is answered

  private static let answers: [(name: String, schema: JSON)] = [
    (
      "Health",
      object(
        ["status": ["const": "ok"]], optional: ["database": word, "disk": word, "bucket": word])
    ),
    ("Description", ["type": "object", "required": ["openapi", "info", "paths"]]),
    (
      "Joined",
      object(["account": reference("Account"), "token": word], optional: ["expires": time])
    ),
    (
      "AccountState",
      object([
        "account": reference("Account"), "scopes": list(reference("TokenScope")),
        "used": object(["bytes": natural, "records": natural, "devices": natural]),
        "quota": object(
          [:], optional: ["bytes": natural, "records": natural, "devices": natural]),
      ])
    ),
    (
      "Audit",
      object([
        "entries": list(
          object(
            ["at": time, "action": word, "subject": word, "address": word],
            optional: [
              "device": device, "deviceName": word, "token": word, "tokenName": word, "name": word,
            ]))
      ])
    ),
    ("Devices", object(["devices": list(reference("Device"))])),
    (
      "Device",
      object(
        ["id": device, "name": word, "joined": time, "self": ["type": "boolean"]],
        optional: ["lastSeen": time, "by": reference("Account")])
    ),
    (
      "Ended",
      object([
        "tokens": list(reference("Token")), "codes": natural,
        "invitations": list(reference("Part")), "joined": list(reference("Account")),
        "guests": list(reference("Part")),
      ])
    ),
    ("PairingCode", object(["code": word, "expires": time])),
    ("Tokens", object(["tokens": list(reference("Token"))])),
    (
      "Token",
      object(
        ["id": word, "name": word, "scope": reference("TokenScope"), "created": time],
        optional: [
          "expires": time, "lastUsed": time, "token": word, "device": device,
          "by": reference("Account"), "maker": word,
        ])
    ),
    ("Vault", object(["roots": list(uuid)])),
    (
      "FeedPage",
      object(
        [
          "epoch": word, "cursor": natural, "continues": ["type": "boolean"],
          "more": ["type": "boolean"], "segments": list(reference("FeedEntry")),
          "roots": list(uuid),
          "erased": list(
            object(["zone": folder, "confirmations": reference("ErasureConfirmations")])),
          "access": list(
            object([
              "zone": folder, "role": reference("ZoneRole"), "owner": word, "participants": natural,
            ])),
        ], optional: ["inside": word])
    ),
    ("StoreResults", object(["results": list(reference("StoreResult"))])),
    ("Shares", object(["shares": list(reference("Share"))])),
    (
      "Share",
      object([
        "id": word, "domain": folder, "zone": folder, "title": word,
        "role": reference("ZoneRole"), "owner": reference("Account"),
        "participants": list(reference("Participant")),
      ])
    ),
    (
      "Participant",
      object(
        [
          "id": word, "name": word, "role": reference("ZoneRole"),
          "state": ["enum": ["pending", "accepted", "removed"]],
        ], optional: ["card": word])
    ),
    (
      "Invitation",
      object(["participant": reference("Participant"), "secret": word, "expires": time])
    ),
    (
      "Error",
      object([
        "error": reference("Refusal")
      ])
    ),
  ]

  // MARK: What they are made of

  private static let parts: [(name: String, schema: JSON)] = [
    ("Account", object(["id": word, "name": word])),
    ("TokenScope", ["enum": .array(TokenScope.allCases.map { .string($0.rawValue) })]),
    (
      "Part", object(["share": reference("Account"), "participant": reference("Participant")])
    ),
    ("GivenRole", ["enum": ["reader", "writer"]]),
    ("ZoneRole", ["enum": .array(ZoneAccess.Role.allCases.map { .string($0.rawValue) })]),
    (
      "Refusal",
      object(
        [
          "code": ["enum": .array(WireError.Code.allCases.map { .string($0.rawValue) })],
          "message": word,
        ], optional: ["retryAfter": natural])
    ),
    (
      "FeedEntry",
      object([
        "cursor": cursor, "zone": folder, "series": base32, "first": natural, "last": natural,
        "head": base32, "size": natural,
      ])
    ),
    (
      "StoreResult",
      object(
        ["status": ["enum": ["stored", "known", "erased", "refused"]]],
        optional: ["cursor": cursor, "error": reference("Refusal")])
    ),
    (
      "ErasureConfirmations",
      list(
        object([
          "replica": base32,
          "kept": ["type": "string", "contentEncoding": "base64", "pattern": "^[A-Za-z0-9+/]*=*$"],
        ]))
    ),
  ]

  // MARK: Words for schemas

  private static let word: JSON = ["type": "string"]
  private static let natural: JSON = ["type": "integer", "minimum": 0]
  static let cursor: JSON = [
    "type": "integer", "minimum": 1, "maximum": .int(.max),
  ]
  private static let time: JSON = [
    "type": "integer", "description": "Milliseconds since 1970.",
  ]
  private static let base32: JSON = ["type": "string", "pattern": "^[0-9a-zA-Z]{26}$"]
  static let folder: JSON = ["type": "string", "pattern": "^[a-z0-9-]{1,64}$"]
  static let device: JSON = ["type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"]
  static let uuid: JSON = [
    "type": "string",
    "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
  ]
  private static let name: JSON = [
    "type": "string", "minLength": 1, "maxLength": 200,
    "description": "1 to 200 bytes of UTF-8 on one line.",
  ]

  private static func text(upTo limit: Int64) -> JSON {
    ["type": "string", "maxLength": .int(limit)]
  }

  private static func list(_ element: JSON, upTo limit: Int? = nil) -> JSON {
    var schema: JSONObject = ["type": "array", "items": element]
    if let limit { schema["maxItems"] = .int(Int64(limit)) }
    return .object(schema)
  }

  private static func object(_ keys: JSONObject, optional: JSONObject = [:]) -> JSON {
    var properties = keys
    for (key, schema) in optional.members { properties[key] = schema }
    var schema: JSONObject = ["type": "object"]
    if !keys.isEmpty { schema["required"] = .array(keys.keys.map { .string($0) }) }
    schema["properties"] = .object(properties)
    return .object(schema)
  }

  static func reference(_ name: String) -> JSON {
    ["$ref": .string("#/components/schemas/\(name)")]
  }
}

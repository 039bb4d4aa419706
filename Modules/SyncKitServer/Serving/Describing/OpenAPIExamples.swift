import SyncKitText
import SyncWire

/// One message of each kind, as it may be on the way; the names are those of the schemas.
enum OpenAPIExamples {
  /// The example of a schema; nil for what has none.
  static func example(_ name: String) -> JSON? { all[name] }

  static let all = requests.merging(answers) { first, _ in first }

  private static let anna: JSON = ["id": "4jv2q7m5w3xkd", "name": "anna"]
  private static let series: JSON = "aerukz4jvpg66aerukz4jvpg64"
  private static let head: JSON = "cnhgq3lt5u2sbcnhgq3lt5u2sa"
  private static let vault: JSON = "7d9f1c3e-2b64-4a8e-9f0d-5c1e8a2b3d4f"
  private static let made: JSON = 1_795_599_000_000
  private static let over: JSON = 1_795_599_600_000
  private static let token: JSON = [
    "id": "4jv2q7m5w3xkd", "name": "backup", "scope": "read", "created": made,
  ]
  private static let guest: JSON = [
    "id": "k3", "name": "Ben", "role": "writer", "state": "accepted",
  ]
  private static let shared: JSON = ["id": "s1", "name": "Rex"]
  private static let share: JSON = [
    "id": "s1", "domain": "health", "zone": "home-of-rex", "title": "Rex", "role": "owner",
    "owner": anna, "participants": [guest],
  ]
  private static let device: JSON = [
    "id": "laptop-7", "name": "Anna's laptop", "joined": made, "lastSeen": over, "self": true,
  ]
  private static let confirmations: JSON = [["replica": series, "kept": "AA=="]]

  private static let requests: [String: JSON] = [
    "JoinRequest": ["code": "4F7K-92QD", "device": ["id": "laptop-7", "name": "Anna's laptop"]],
    "Name": ["name": "Anna's old laptop"],
    "TokenRequest": ["name": "backup", "scope": "read", "expires": over],
    "Cursors": ["cursors": [812, 815]],
    "Erasure": ["confirmations": confirmations],
    "ShareRequest": ["domain": "health", "zone": "home-of-rex", "title": "Rex"],
    "InvitationRequest": ["role": "writer", "name": "Ben"],
    "Role": ["role": "reader"],
    "Acceptance": ["secret": "csi_…"],
  ]

  private static let answers: [String: JSON] = [
    "Health": ["status": "ok", "database": "ok", "disk": "ok"],
    "Joined": ["account": anna, "token": "cst_…", "expires": over],
    "AccountState": [
      "account": anna, "scopes": ["read", "sync", "manage"],
      "used": ["bytes": 40_960, "records": 12, "devices": 2], "quota": ["bytes": 1_073_741_824],
    ],
    "Audit": [
      "entries": [
        [
          "at": made, "device": "laptop-7", "deviceName": "Anna's laptop", "action": "device.join",
          "subject": "laptop-7", "name": "Anna's laptop", "address": "192.0.2.7",
        ]
      ]
    ],
    "Devices": ["devices": [device]],
    "Device": device,
    "Ended": [
      "tokens": [token], "codes": 1, "invitations": [["share": shared, "participant": guest]],
      "joined": [["id": "phone-3", "name": "Anna's phone"]], "guests": [],
    ],
    "Part": ["share": shared, "participant": guest],
    "PairingCode": ["code": "4F7K-92QD", "expires": over],
    "Tokens": ["tokens": [token]],
    "Token": token,
    "Vault": ["roots": [vault]],
    "FeedPage": [
      "epoch": "q7m5w3xkd4jv2", "cursor": 812, "continues": true, "more": false,
      "segments": [
        [
          "cursor": 812, "zone": "home", "series": series, "first": 1, "last": 3, "head": head,
          "size": 412,
        ]
      ], "roots": [vault],
      "erased": [["zone": "home-of-rex", "confirmations": confirmations]],
      "access": [["zone": "home-of-rex", "role": "owner", "owner": "", "participants": 1]],
    ],
    "StoreResults": [
      "results": [
        ["status": "stored", "cursor": 816], ["status": "known", "cursor": 812],
        [
          "status": "refused",
          "error": ["code": "forbidden", "message": "You may only read this zone."],
        ],
      ]
    ],
    "Shares": ["shares": [share]],
    "Share": share,
    "Participant": guest,
    "Invitation": [
      "participant": ["id": "k3", "name": "Ben", "role": "writer", "state": "pending"],
      "secret": "csi_…", "expires": over,
    ],
    "Error": [
      "error": ["code": "rate-limited", "message": "Too many requests; wait.", "retryAfter": 4]
    ],
  ]
}

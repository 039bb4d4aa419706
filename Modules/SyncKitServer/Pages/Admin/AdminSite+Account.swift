import HTTPTypes
import PageTemplates
import SyncKit
import SyncWire

/// The page of an account, and what the host does to it.
extension AdminSite {
  static let accountRoutes: [Route] = [
    Route(.get, "/admin/accounts/{account}") { site, request in
      try await site.account(request, request.account)
    },
    Route(.post, "/admin/accounts/{account}/invite") { site, request in
      let details = try await site.administration.details(of: request.account)
      return try await site.invite(details.account.account, isNew: false, request)
    },
    Route(.post, "/admin/accounts/{account}/lock") { site, request in
      try await site.setLocked(true, request)
    },
    Route(.post, "/admin/accounts/{account}/unlock") { site, request in
      try await site.setLocked(false, request)
    },
    Route(.post, "/admin/accounts/{account}/quota") { site, request in
      try await site.setQuota(request)
    },
    Route(.post, "/admin/accounts/{account}/end") { site, request in
      let open = try await site.administration.details(of: request.account).invitations
      let id = request.form["id"] ?? ""
      // One that was used meanwhile has ended as well.
      if open.contains(where: { $0.id == id }) {
        _ = try await site.acting(request).end(invitation: id)
      }
      return .redirect(to: "../\(request.account)?done=ended")
    },
  ]

  /// How many lines of its audit the page of an account shows.
  private static let latest = 10

  /// The page of an account, with why what was sent was not done, if anything was.
  func account(
    _ request: AdminRequest, _ id: String, problem: String? = nil, quota: QuotaForm? = nil
  ) async throws -> AdminAnswer {
    let words = request.words
    let now = administration.environment.now()
    let details = try await administration.details(of: id)
    let account = details.account
    let log = try await administration.auditLog(of: id, limit: Self.latest)
    var values: [String: Any] = [
      "name": account.account.name, "id": id, "path": "admin/accounts/\(id)",
      "created": words.moment(account.created, now: now),
      "used": words.bytes(account.usedBytes),
      "records": words.number(Int(clamping: account.usedRecords)),
      "isEncrypted": details.isEncrypted,
      "devices": details.devices.map { device($0, details, words, now: now) },
      "hasDevices": !details.devices.isEmpty,
      "tokens": details.tokens.filter { $0.device == nil }.map { token($0, words, now: now) },
      "hasTokens": details.tokens.contains { $0.device == nil },
      "holdings": holdings(details.holdings, words),
      "hasHoldings": !details.holdings.isEmpty,
      "invitations": details.invitations.map { invitation($0, details, words, now: now) },
      "hasInvitations": !details.invitations.isEmpty,
      "lines": log.map { line($0.entry, words, now: now) },
      "quota": (quota ?? QuotaForm(account)).values(words),
      "mostDevices": words.text("quota.devicesHelp", [words.number(Int(policy.maximumDevices))]),
    ]
    values["locked"] = words.moment(account.locked, now: now)
    values["seen"] = words.moment(account.lastSeen, now: now)
    if details.shares > 0 { values["shares"] = sharing(details, words) }
    return page(
      "account", title: account.account.name, values, request, status: problem == nil ? 200 : 422,
      problem: problem)
  }

  var policy: ServerPolicy { administration.policy }

  /// How many records it shares, and with how many people.
  func sharing(_ details: ServerAdministration.Details, _ words: Wording) -> String {
    words.text(
      "account.sharing",
      [
        words.count("shares.count", Int(details.shares)),
        words.count("guests.count", Int(details.guests)),
      ])
  }

  private func device(
    _ device: WireDevice, _ details: ServerAdministration.Details, _ words: Wording, now: Int64
  ) -> [String: Any] {
    let token = details.tokens.first { $0.device == device.device.id }
    var values: [String: Any] = ["name": device.device.name]
    values["joined"] = words.moment(device.joined, now: now)
    values["seen"] = words.moment(device.lastSeen, now: now)
    values["by"] = maker(device.by, words)
    // Without a token that lasts it must join again.
    if token.map({ isOver($0, now: now) }) ?? true { values["isSignedOut"] = true }
    return values
  }

  private func token(_ token: WireToken, _ words: Wording, now: Int64) -> [String: Any] {
    var values: [String: Any] = [
      "name": token.name, "id": token.id, "scope": words.text("scope.\(token.scope.rawValue)"),
    ]
    values["used"] = words.moment(token.lastUsed, now: now)
    values["expires"] = token.expires.map { words.full($0) } ?? false as Any
    if isOver(token, now: now) { values["isOver"] = true }
    values["by"] = maker(token.by, words)
    return values
  }

  /// The device that let something in; `false` for the host.
  private func maker(_ device: WireName?, _ words: Wording) -> Any {
    guard let device else { return false }
    return device.name.isEmpty ? words.text("unnamed") : device.name
  }

  private func isOver(_ token: WireToken, now: Int64) -> Bool {
    token.expires.map { $0 <= now } ?? false
  }

  private func holdings(
    _ holdings: [ServerAdministration.Holding], _ words: Wording
  ) -> [[String: Any]] {
    var opaque = 0
    return holdings.map { holding in
      if holding.domain == nil { opaque += 1 }
      return [
        "name": holding.domain.map { words.all["domain.\($0)"] ?? $0 }
          ?? words.text("holding.opaque", [words.number(opaque)]),
        "segments": words.number(Int(clamping: holding.segments)),
        "bytes": words.bytes(holding.bytes),
      ]
    }
  }

  private func invitation(
    _ open: ServerAdministration.OpenInvitation, _ details: ServerAdministration.Details,
    _ words: Wording, now: Int64
  ) -> [String: Any] {
    var values: [String: Any] = [
      "id": open.id, "kind": words.text("invitation.\(open.kind.rawValue)"),
      "expires": words.full(open.expires), "by": open.by ?? words.text("host"),
    ]
    values["created"] = words.moment(open.created, now: now)
    if let guest = open.guest { values["guest"] = guest.name }
    return values
  }

  // MARK: What is done

  private func setLocked(_ isLocked: Bool, _ request: AdminRequest) async throws -> AdminAnswer {
    try await acting(request).setLocked(isLocked, request.account)
    return .redirect(to: "../\(request.account)?done=\(isLocked ? "locked" : "unlocked")")
  }

  private func setQuota(_ request: AdminRequest) async throws -> AdminAnswer {
    let form = QuotaForm(request.form)
    guard let limits = form.limits(mostDevices: policy.maximumDevices) else {
      return try await account(
        request, request.account, problem: request.words.text("quota.bad"), quota: form)
    }
    try await acting(request).setQuota(
      of: request.account, maximumBytes: limits.bytes, maximumRecords: limits.records,
      maximumDevices: limits.devices)
    return .redirect(to: "../\(request.account)?done=quota")
  }
}

/// How much an account may have, as a person writes it; empty for no limit.
struct QuotaForm: Equatable {
  private var bytes: String
  private var unit: String
  private var records: String
  private var devices: String

  private static let units: [(name: String, size: Int64)] = [
    ("B", 1), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000),
  ]

  /// What an account may have now.
  init(_ account: ServerAdministration.Account) {
    let size = account.maximumBytes
    let unit =
      Self.units.last { unit in size.map { $0 > 0 && $0 % unit.size == 0 } ?? (unit.name == "GB") }
      ?? Self.units[0]
    self.unit = unit.name
    bytes = size.map { "\($0 / unit.size)" } ?? ""
    records = account.maximumRecords.map { "\($0)" } ?? ""
    devices = account.maximumDevices.map { "\($0)" } ?? ""
  }

  /// What was sent.
  init(_ form: FormValues) {
    func text(_ name: String) -> String {
      (form[name] ?? "").filter { $0 != " " && $0 != "\u{A0}" }
    }
    (bytes, unit) = (text("bytes"), form["unit"] ?? "B")
    (records, devices) = (text("records"), text("devices"))
  }

  /// The limits, nil for none; nil when they are no numbers or too large.
  func limits(
    mostDevices: Int64
  ) -> (bytes: Int64?, records: Int64?, devices: Int64?)? {
    guard let size = Self.units.first(where: { $0.name == unit })?.size else { return nil }
    var limits: (bytes: Int64?, records: Int64?, devices: Int64?)
    if !bytes.isEmpty {
      guard let number = Self.number(bytes, times: size) else { return nil }
      limits.bytes = number
    }
    if !records.isEmpty {
      guard let number = Self.number(records, times: 1) else { return nil }
      limits.records = number
    }
    if !devices.isEmpty {
      guard let number = Self.number(devices, times: 1), number <= mostDevices else { return nil }
      limits.devices = number
    }
    return limits
  }

  /// A number of digits, with a fraction of up to three where a unit allows one.
  private static func number(_ text: String, times size: Int64) -> Int64? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    guard parts.count <= (size > 1 ? 2 : 1),
      parts.allSatisfy({ part in
        (1...18).contains(part.utf8.count)
          && part.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      }), let whole = Int64(parts[0])
    else { return nil }
    let (product, isTooLarge) = whole.multipliedReportingOverflow(by: size)
    guard !isTooLarge else { return nil }
    guard parts.count == 2 else { return product }
    guard parts[1].utf8.count <= 3,
      let thousandths = Int64((parts[1] + "00").prefix(3))
    else { return nil }
    let (sum, isOver) = product.addingReportingOverflow(size / 1_000 * thousandths)
    return isOver ? nil : sum
  }

  /// The fields for a template.
  func values(_ words: Wording) -> [String: Any] {
    [
      "bytes": bytes, "records": records, "devices": devices,
      "units": Self.units.map { unit in
        [
          "value": unit.name,
          "label": unit.name == "B" ? words.text("quota.plainBytes") : unit.name,
          "isChosen": unit.name == self.unit,
        ] as [String: Any]
      },
    ]
  }
}

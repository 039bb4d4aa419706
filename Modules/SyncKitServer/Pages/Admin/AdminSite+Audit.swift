import HTTPTypes
import PageTemplates
import SyncKit
import SyncWire

/// The audits: of the host, and of an account.
extension AdminSite {
  static let auditRoutes: [Route] = [
    Route(.get, "/admin/audit") { site, request in try await site.hostAudit(request) },
    Route(.get, "/admin/accounts/{account}/audit") { site, request in
      try await site.accountAudit(request)
    },
  ]

  /// How many lines a page has.
  private static let lines = 50

  private func hostAudit(_ request: AdminRequest) async throws -> AdminAnswer {
    let words = request.words
    let now = administration.environment.now()
    let notes = try await administration.notes(limit: Self.lines + 1, before: request.before)
    let shown = notes.prefix(Self.lines)
    let known = try await administration.known(Set(shown.compactMap { $0.account?.id }))
    var values: [String: Any] = [
      "isOfHost": true,
      "lines": shown.map { note in
        var line: [String: Any] = [
          "action": Self.action(note.action, words), "detail": note.detail,
          "from": Self.place(note.address, words),
        ]
        line["at"] = words.moment(note.at, now: now)
        if let account = note.account {
          line["name"] = account.name
          // What was removed has no page.
          if known.contains(account.id) { line["path"] = "admin/accounts/\(account.id)" }
        }
        return line
      },
    ]
    turn(&values, notes.count, shown.last?.id, request)
    return page("audit", title: words.text("audit.title"), current: "audit", values, request)
  }

  private func accountAudit(_ request: AdminRequest) async throws -> AdminAnswer {
    let words = request.words
    let account = try await administration.details(of: request.account).account.account
    let now = administration.environment.now()
    let log = try await administration.auditLog(
      of: account.id, limit: Self.lines + 1, before: request.before)
    let shown = log.prefix(Self.lines)
    var values: [String: Any] = [
      "account": ["name": account.name, "path": "admin/accounts/\(account.id)"],
      "lines": shown.map { line($0.entry, words, now: now) },
    ]
    turn(&values, log.count, shown.last?.id, request)
    return page("audit", title: words.text("audit.of", [account.name]), values, request)
  }

  /// The ways to older lines and back to the newest.
  private func turn(
    _ values: inout [String: Any], _ count: Int, _ last: Int64?, _ request: AdminRequest
  ) {
    values["isEmpty"] = count == 0
    if count > Self.lines, let last { values["older"] = "?before=\(last)" }
    if request.before != nil { values["newest"] = "audit" }
  }

  /// A line of an account's audit for a template.
  func line(_ entry: AuditEntry, _ words: Wording, now: Int64) -> [String: Any] {
    var line: [String: Any] = [
      "action": Self.action(entry.action, words), "from": Self.place(entry.address, words),
    ]
    line["at"] = words.moment(entry.at, now: now)
    // What has no name that a person gave is named by ids that say nothing.
    line["name"] = entry.name ?? ""
    if Self.english.contains(entry.action) { line["isEnglish"] = true }
    let device = entry.deviceName ?? entry.device.map { _ in words.text("unnamed") }
    line["by"] =
      entry.tokenName.map { words.text("audit.byToken", [$0]) } ?? device
      ?? (entry.address == "local" ? words.text("host") : "")
    return line
  }

  /// What is written down with words, which are those of the commands.
  private static let english: Set<String> = [
    "account.quota", "account.rename", "account.sign-out", "server.restore", "code.end",
  ]

  private static func action(_ action: String, _ words: Wording) -> String {
    words.all["action.\(action)"] ?? action
  }

  private static func place(_ address: String, _ words: Wording) -> String {
    words.all["place.\(address)"] ?? address
  }
}

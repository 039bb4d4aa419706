import HTTPTypes
import PageTemplates
import SyncKit
import SyncKitText
import SyncWire

/// The first page: how the server is, its accounts, and its load.
extension AdminSite {
  static let overviewRoutes: [Route] = [
    Route(.get, "/admin") { site, request in try await site.overview(request) },
    Route(.post, "/admin/invite") { site, request in try await site.inviteByName(request) },
  ]

  /// Backups should not be older than a week.
  private static let oldBackup: Int64 = 7 * 86_400_000
  /// There should be more than this left on the disk; far less makes the server say that it is not ready.
  private static let littleRoom: UInt64 = 1 << 30

  /// More accounts are on further pages.
  private static let accountsOnPage = 200

  private func overview(
    _ request: AdminRequest, problem: String? = nil
  ) async throws -> AdminAnswer {
    let words = request.words
    let behind = request.query["after"]
    var accounts = try await administration.accounts(
      after: behind, limit: Self.accountsOnPage + 1)
    let isMore = accounts.count > Self.accountsOnPage
    accounts = Array(accounts.prefix(Self.accountsOnPage))
    let totals = try await administration.totals()
    let now = administration.environment.now()
    var values = load(request)
    values["facts"] = try await facts(words, now: now)
    values["accounts"] = accounts.map { row($0, words, now: now) }
    values["hasAccounts"] = !accounts.isEmpty
    values["total"] = words.text(
      "accounts.total",
      [
        words.count("accounts.count", totals.accounts), words.bytes(totals.bytes),
      ])
    if isMore, let last = accounts.last { values["further"] = "admin?after=\(last.account.id)" }
    if behind != nil { values["first"] = "admin" }
    values["name"] = problem == nil ? "" : request.form["name"] ?? ""
    return page(
      "overview", title: words.text("overview.title"), current: "overview", values, request,
      status: problem == nil ? 200 : 422, problem: problem)
  }

  /// How the store is, each with a mark of good or bad.
  private func facts(_ words: Wording, now: Int64) async throws -> [[String: Any]] {
    func fact(_ name: String, _ text: String, _ isGood: Bool?, hint: String? = nil) -> [String: Any]
    {
      var fact: [String: Any] = ["label": words.text("fact.\(name)"), "text": text]
      fact["mark"] = isGood.map { $0 ? "good" : "bad" } ?? false as Any
      if let hint { fact["hint"] = hint }
      return fact
    }
    let isReady = await health.isReady()
    var facts = [
      fact("store", words.text(isReady ? "fact.writable" : "fact.unwritable"), isReady),
      fact("size", words.bytes(try await administration.storedBytes()), nil),
    ]
    if let free = health.freeBytes() {
      facts.append(
        fact("room", words.bytes(Int64(clamping: free)), free >= Self.littleRoom ? nil : false))
    }
    // Of a database's backups its own programs know.
    if administration.isInFolder {
      let backup = try await administration.lastBackup()
      let isRecent = backup.map { now - $0 < Self.oldBackup } ?? false
      facts.append(
        fact(
          "backup",
          backup.map { "\(words.ago(now - $0)) (\(words.full($0)))" } ?? words.text("never"),
          isRecent, hint: isRecent ? nil : "cloudsync server backup FILE"))
    }
    facts.append(
      fact("began", "\(words.ago(now - health.began)) (\(words.full(health.began)))", nil))
    return facts
  }

  private func row(
    _ account: ServerAdministration.Account, _ words: Wording, now: Int64
  ) -> [String: Any] {
    var row: [String: Any] = [
      "name": account.account.name, "path": "admin/accounts/\(account.account.id)",
      "used": words.bytes(account.usedBytes),
      "quota": account.maximumBytes.map(words.bytes) ?? words.text("none"),
      "devices": words.number(Int(account.devices)),
    ]
    if let limit = account.maximumBytes, account.usedBytes >= limit { row["isFull"] = true }
    if account.locked != nil { row["isLocked"] = true }
    row["seen"] = words.moment(account.lastSeen, now: now)
    return row
  }

  // MARK: Inviting

  /// Makes an account, or takes the one of that name, and shows the way in.
  private func inviteByName(_ request: AdminRequest) async throws -> AdminAnswer {
    let name = request.form["name"] ?? ""
    guard PersonName.isGood(name) else {
      return try await overview(request, problem: request.words.text("invite.badName"))
    }
    let administration = acting(request)
    if let account = try await administration.account(name) {
      return try await invite(account, isNew: false, request)
    }
    return try await invite(try await administration.makeAccount(name), isNew: true, request)
  }

  /// Makes a code for an account and shows it, once.
  func invite(
    _ account: WireName, isNew: Bool, _ request: AdminRequest
  ) async throws -> AdminAnswer {
    let words = request.words
    let code: PairingCode
    do {
      code = try await acting(request).invite(to: account.id)
    } catch let error as SyncError where error.code == .remoteQuota {
      return try await self.account(
        request, account.id, problem: words.text("invite.tooMany"))
    }
    let base = url.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 } ?? request.visitor.origin
    // The code stands behind the # so that no server and no log on the way gets it.
    let link = "\(base)/join#\(code.code)\(base.hasPrefix("https:") ? linkMark() : "")"
    let isLocked = try await administration.standing(of: account.id).locked != nil
    return page(
      "invited", title: words.text("invited.title", [account.name]),
      [
        "name": account.name, "path": "admin/accounts/\(account.id)", "isNew": isNew,
        "isLocked": isLocked, "link": link,
        "command": "cloudsync init --join \(ShellWords.quoted(link))",
        "expires": words.text("invited.expires", [words.full(code.expires)]),
      ], request)
  }
}

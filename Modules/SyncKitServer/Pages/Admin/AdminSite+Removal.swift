import HTTPTypes
import PageTemplates
import SyncKitText
import SyncWire

/// Removing an account: a page says what is lost, and the name has to be typed.
extension AdminSite {
  static let removalRoutes: [Route] = [
    Route(.get, "/admin/accounts/{account}/remove") { site, request in
      try await site.removal(request)
    },
    Route(.post, "/admin/accounts/{account}/remove") { site, request in
      try await site.remove(request)
    },
  ]

  private func removal(_ request: AdminRequest, problem: String? = nil) async throws -> AdminAnswer
  {
    let words = request.words
    let details = try await administration.details(of: request.account)
    let account = details.account
    var lost = [
      words.text(
        "removal.data",
        [
          words.bytes(account.usedBytes),
          words.count("changes.count", Int(clamping: account.usedRecords)),
        ]),
      words.text(
        "removal.access",
        [
          words.count("devices.count", Int(account.devices)),
          words.count("tokens.count", details.tokens.count { $0.device == nil }),
        ]),
    ]
    // A command would take a name that begins with a dash for an option.
    let name = account.account.name
    let argument = name.hasPrefix("-") ? account.account.id : name
    if details.shares > 0 { lost.append(words.text("removal.shares", [sharing(details, words)])) }
    return page(
      "removal", title: words.text("removal.title", [account.account.name]),
      [
        "name": account.account.name, "path": "admin/accounts/\(account.account.id)",
        "lost": lost,
        "export":
          "cloudsync server account export \(ShellWords.quoted(argument)) FOLDER",
      ], request, status: problem == nil ? 200 : 422, problem: problem)
  }

  private func remove(_ request: AdminRequest) async throws -> AdminAnswer {
    let details = try await administration.details(of: request.account)
    let typed = request.form["name"] ?? ""
    // Names that read the same are one name.
    guard AccountName.folded(typed) == AccountName.folded(details.account.account.name) else {
      return try await removal(request, problem: request.words.text("removal.wrongName"))
    }
    try await acting(request).removeAccount(request.account)
    return .redirect(to: "../../../admin?done=removed")
  }
}

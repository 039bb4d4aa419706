import Hummingbird
import PageTemplates
import SyncKitFormats
import SyncKitText

extension WebSite {
  static let sharingRoutes: [Route] = [
    Route(.get, "sharing") { site, request in try await site.sharing(request) },
    Route(.post, "share") { site, request in try await site.share(request) },
    Route(.post, "share/role") { site, request in try await site.changeRole(request) },
    Route(.post, "share/remove") { site, request in try await site.removeParticipant(request) },
    Route(.post, "share/stop") { site, request in try await site.stopSharing(request) },
    Route(.post, "share/leave") { site, request in try await site.leaveShare(request) },
    Route(.post, "share/verify") { site, request in try await site.verifyShare(request) },
    Route(.post, "share/accept") { site, request in try await site.acceptShare(request) },
  ]

  /// The most records of a collection that can be chosen.
  private static let mostChoices = 200

  private func sharing(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    var values: [String: Any] = [:]
    let outcome = try await program.run(["share", "list"])
    if let failure = outcome.failure {
      // Without a server there is nobody to share with, which is no failure of the page.
      values["obstacle"] = failure.message
      values["hint"] = failure.hint ?? ""
    } else {
      let shares = outcome.document?["shares"]?.array ?? []
      values["shares"] = shares.map { share($0, words) }
      if shares.isEmpty { values["isEmpty"] = true }
      values["choices"] = try await choices(words)
      values["canShare"] = true
    }
    return page("sharing", title: words["sharing"], current: "sharing", values, request.language)
  }

  private func share(_ share: JSON, _ words: WebWords) -> [String: Any] {
    let isOwn = share["role"]?.string == "owner"
    var values: [String: Any] = [
      "id": share["id"]?.string ?? "", "heading": share["title"]?.string ?? "",
      "label": words.name(share["domain"]?.string ?? "", of: "domain"), "isOwn": isOwn,
      "role": words.name(share["role"]?.string ?? "", of: "role"),
      "participants": (share["participants"]?.array ?? []).map { person in
        let role = person["role"]?.string ?? ""
        var values: [String: Any] = [
          "person": person["id"]?.string ?? "", "name": person["name"]?.string ?? "",
          "role": words.name(role, of: "role"),
          "state": words.name(person["state"]?.string ?? "", of: "participant"),
        ]
        values.merge(Self.words(of: person)) { $1 }
        if isOwn, ["reader", "writer"].contains(role), person["state"]?.string != "removed" {
          values["canChange"] = true
          values["other"] = role == "reader" ? "writer" : "reader"
          values["otherLabel"] = words["role.make.\(role == "reader" ? "writer" : "reader")"]
        }
        return values
      },
    ]
    if let owner = share["owner"]?.string { values["owner"] = owner }
    if let own = share["ownWords"]?.string { values["ownWords"] = own }
    values["ownerWords"] = share["words"].map { _ in [Self.words(of: share)] } ?? []
    return values
  }

  /// The words of a person in an encrypted share, and whether they were compared.
  private static func words(of person: JSON) -> [String: Any] {
    guard let words = person["words"]?.string else { return ["hasWords": false] }
    return [
      "hasWords": true, "personWords": words, "isUnverified": person["verified"]?.bool != true,
    ]
  }

  /// What can be shared: the records that have a tree of their own.
  private func choices(_ words: WebWords) async throws -> [[String: Any]] {
    var choices: [[String: Any]] = []
    for domain in names {
      guard let schema = try? await document([domain, "fields"]) else { continue }
      for collection in schema["collections"]?.array ?? [] where collection["root"]?.bool == true {
        let name = collection["name"]?.string ?? ""
        let found = try await document([
          domain, "search", "--collection", name, "--limit", String(Self.mostChoices),
        ])
        choices += (found["records"]?.array ?? []).map { record in
          let id = record["id"]?.string ?? ""
          let title = record["fields"]?["name"]?.string ?? record["fields"]?["personalName"]?.string
          return [
            "value": "\(domain)/\(id)",
            "label": "\(words.name(domain, of: "domain")): \(title ?? id)",
          ]
        }
      }
    }
    return choices
  }

  // MARK: What a person does

  /// Invites a person, and shows the link once.
  private func share(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let what = (request.form["what"] ?? "").split(separator: "/", maxSplits: 1).map(String.init)
    guard what.count == 2, names.contains(what[0]) else { throw WebFailure(404, .unknownPage) }
    let role = request.form["role"] == "writer" ? "writer" : "reader"
    let outcome = try await program.run(
      [
        what[0], "share", "--yes", "--role", role,
        "--with=\(request.form["name"] ?? "")",
      ], names: [what[1]])
    if let failure = outcome.failure {
      session.leave(WebNotice(text: failure.message, isError: true, hint: failure.hint))
      return .redirect(to: address("sharing"))
    }
    let invitations = (outcome.document?["invitations"]?.array ?? []).map { invitation in
      var values: [String: Any] = ["name": invitation["name"]?.string ?? ""]
      if let link = invitation["link"]?.string {
        values["command"] = "cloudsync share accept '\(link)'"
        values["link"] = link
      }
      values["expires"] = words.moment(invitation["expires"]?.string, now: program.now())
      return values
    }
    return page(
      "shared", title: words["share.title"], current: "sharing", ["invitations": invitations],
      request.language)
  }

  private func changeRole(_ request: PageRequest) async throws -> WebAnswer {
    try await changeShare(["role"], ["id", "person", "role"], request, done: "share.role.done")
  }

  private func removeParticipant(_ request: PageRequest) async throws -> WebAnswer {
    try await changeShare(["remove"], ["id", "person"], request, done: "share.remove.done")
  }

  private func stopSharing(_ request: PageRequest) async throws -> WebAnswer {
    try await changeShare(["stop", "--yes"], ["id"], request, done: "share.stop.done")
  }

  private func leaveShare(_ request: PageRequest) async throws -> WebAnswer {
    try await changeShare(["leave", "--yes"], ["id"], request, done: "share.leave.done")
  }

  /// Notes that the words of a person were compared: of a guest, or of the owner where no guest is named.
  private func verifyShare(_ request: PageRequest) async throws -> WebAnswer {
    let person = (request.form["person"] ?? "").isEmpty ? [] : ["person"]
    return try await changeShare(
      ["verify", "--yes"], ["id"] + person, request, done: "share.verify.done")
  }

  private func acceptShare(_ request: PageRequest) async throws -> WebAnswer {
    try await changeShare(["accept", "--yes"], ["link"], request, done: "share.accept.done")
  }

  private func changeShare(
    _ command: [String], _ fields: [String], _ request: PageRequest, done: String
  ) async throws -> WebAnswer {
    try await change(
      ["share"] + command, names: fields.map { request.form[$0] ?? "" },
      done: WebWords(request.language)[done])
    return .redirect(to: address("sharing"))
  }
}

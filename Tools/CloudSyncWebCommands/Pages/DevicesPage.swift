import CommandFoundation
import Hummingbird
import PageTemplates
import SyncKitFormats
import SyncKitText

extension WebSite {
  static let deviceRoutes: [Route] = [
    Route(.get, "devices") { site, request in try await site.devices(request) },
    Route(.post, "pair") { site, request in try await site.pair(request) },
    Route(.post, "rename") { site, request in try await site.rename(request) },
    Route(.get, "revoke/:id") { site, request in try await site.askToRevoke(request) },
    Route(.post, "revoke") { site, request in try await site.revoke(request) },
  ]

  private func devices(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let devices = try await document(["device", "list"])["devices"]?.array ?? []
    let values: [String: Any] = [
      "devices": devices.map { device in
        let isSelf = device["self"]?.bool ?? false
        let id = device["id"]?.string ?? ""
        var values: [String: Any] = ["name": name(of: device, words), "isSelf": isSelf]
        values["joined"] = words.moment(device["joined"]?.string, now: program.now())
        values["seen"] = words.moment(device["lastSeen"]?.string, now: program.now())
        let isGone = device["signedOut"]?.bool == true || device["letGo"]?.bool == true
        if device["signedOut"]?.bool == true { values["isSignedOut"] = true }
        if device["letGo"]?.bool == true { values["isLetGo"] = true }
        if !isSelf, !isGone, !id.isEmpty {
          values["revoke"] = address("revoke/\(PercentEncoding.encode(id))")
        }
        return values
      }
    ]
    return page("devices", title: words["devices"], current: "devices", values, request.language)
  }

  private func name(of device: JSON, _ words: WebWords) -> String {
    device["name"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? words["matrix.unnamed"]
  }

  /// Makes a code, and shows it once: it is not kept for another page.
  private func pair(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let outcome = try await program.run(["device", "pair"])
    if let failure = outcome.failure {
      session.leave(WebNotice(text: failure.message, isError: true, hint: failure.hint))
      return .redirect(to: address("devices"))
    }
    let pairing = outcome.document
    let command = pairing?["command"]?.string ?? ""
    var values: [String: Any] = [
      "command": command,
      "secret": [pairing?["code"]?.string, pairing?["key"]?.string].compactMap(\.self),
    ]
    values["expires"] = words.moment(pairing?["expires"]?.string, now: program.now())
    if let picture = QRCode(pairing?["link"]?.string ?? command) {
      values["picture"] = picture.image
    }
    return page("pair", title: words["pair.title"], current: "devices", values, request.language)
  }

  private func rename(_ request: PageRequest) async throws -> WebAnswer {
    try await change(
      ["device", "rename"], names: [request.form["name"] ?? ""],
      done: WebWords(request.language)["devices.renamed"])
    return .redirect(to: address("devices"))
  }

  /// Says what it means before it is done.
  private func askToRevoke(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let devices = try await document(["device", "list"])["devices"]?.array ?? []
    guard let device = devices.first(where: { $0["id"]?.string == request["id"] }) else {
      throw WebFailure(404, .unknownPage)
    }
    let name = name(of: device, words)
    return page(
      "revoke", title: words["revoke.title", name], current: "devices",
      ["id": request["id"], "name": name], request.language)
  }

  private func revoke(_ request: PageRequest) async throws -> WebAnswer {
    var command = ["device", "revoke", "--yes"]
    let code = request.form["code"]
    if code != nil { command += ["--recovery-code", "-"] }
    try await change(
      command, names: [request.form["id"] ?? ""], input: Array((code ?? "").utf8),
      done: WebWords(request.language)["revoke.done"])
    return .redirect(to: address("devices"))
  }
}

extension QRCode {
  /// The code as an image that a page can hold.
  var image: String {
    let margin = 4
    let side = width + 2 * margin
    var path = ""
    for row in 0..<width {
      for column in 0..<width where self[column, row] {
        path += "M\(column + margin) \(row + margin)h1v1h-1z"
      }
    }
    let drawing = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">\
      <path fill="#fff" d="M0 0h\(side)v\(side)H0z"/><path d="\(path)"/></svg>
      """
    return "data:image/svg+xml;base64,\(Base64.encode(Array(drawing.utf8)))"
  }
}

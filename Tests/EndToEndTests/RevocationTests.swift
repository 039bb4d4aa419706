import Formats
import Testing

/// A lost device is out with all that it has made, as seen by the account's owner and by the thief.
struct RevocationTests {
  /// The token that a device got when it joined.
  private func token(of device: TestDevice) throws -> String {
    let file = device.path(".local/share/cloudsync/tokens/home")
    return String(try Files.text(file).prefix { $0 != "\n" })
  }

  private func post(
    _ host: ServerHost, _ path: String, _ token: String, _ body: String = ""
  ) async throws -> CurlAnswer {
    try await CurlAnswer.ask(
      host.machine, host.url + path, token: token, "--request", "POST", "--header",
      "Content-Type: application/json", "--data", body)
  }

  @Test func `a thief's tokens and codes end with the device, and the owner sees them before`()
    async throws
  {
    let host = try await ServerHost()
    let laptop = try await host.device(of: "anna")
    let phone = try await host.device(beside: laptop, "phone")
    let stolen = try token(of: phone)
    let made = try await post(
      host, "/v1/tokens", stolen, "{\"name\": \"hidden\", \"scope\": \"manage\"}")
    let hidden = made.document["token"]?.string ?? ""
    let code = try await post(host, "/v1/pairings", hidden).document["code"]?.string ?? ""
    let ghost = try TestDevice()
    let early = try await post(host, "/v1/pairings", hidden).document["code"]?.string ?? ""
    let letIn = try await ghost.run(
      "init", "--yes", "--device", "ghost", "--join", early, "--remote", "home=\(host.url)")
    #expect(letIn.status == 0, "\(letIn.error)")

    let list = try await laptop.json("device", "list")
    #expect(list["tokens"]?.array?.map { $0["name"]?.string } == ["hidden"])
    #expect(list["tokens"]?[0]?["by"]?["name"] == "phone")
    let known = list["devices"]?.array?.first { $0["name"] == "ghost" }
    #expect(known?["by"]?["name"] == "phone")
    #expect(try await laptop.run("device", "list").output.contains("token (manage), made by phone"))

    let rehearsed = try await laptop.run("device", "revoke", "phone", "--dry-run")
    #expect(rehearsed.error.contains("would end with it: the token 'hidden' (manage)"))
    #expect(
      try await CurlAnswer.ask(host.machine, host.url + "/v1/account", token: hidden).status == 200)

    let revoked = try await laptop.run("device", "revoke", "phone")
    #expect(revoked.status == 0)
    #expect(
      revoked.error.contains("ended with it: the token 'hidden' (manage)"), "\(revoked.error)")
    #expect(revoked.error.contains("an open code"))
    #expect(revoked.error.contains("'ghost' joined by a code of 'phone' and stays"))
    for token in [stolen, hidden] {
      let answer = try await CurlAnswer.ask(host.machine, host.url + "/v1/account", token: token)
      #expect(answer.status == 401)
    }
    let late = try TestDevice()
    let refused = try await late.run(
      "init", "--yes", "--join", code, "--remote", "home=\(host.url)", "--json")
    #expect(refused.status == 77 && refused.failure["code"] == "remote.code-spent")

    #expect(try await laptop.run("device", "revoke", "ghost").status == 0)
    #expect(try await ghost.run("sync").status == 77)
    let audit = try await laptop.json("account", "audit")["entries"]?.array ?? []
    let actions = audit.compactMap { $0["action"]?.string }
    #expect(actions.contains("token.make") && actions.contains("code.end"), "\(actions)")
  }

  @Test func `a device is revoked with those that joined by it where that is wanted`() async throws
  {
    let host = try await ServerHost()
    let laptop = try await host.device(of: "anna")
    let phone = try await host.device(beside: laptop, "phone")
    let tablet = try await host.device(beside: phone, "tablet")
    let watch = try await host.device(beside: tablet, "watch")
    let revoked = try await laptop.json("device", "revoke", "phone", "--with-joined")
    #expect(revoked["withJoined"]?.array?.map { $0["name"]?.string } == ["tablet", "watch"])
    for device in [phone, tablet, watch] { #expect(try await device.run("sync").status == 77) }
    #expect(try await laptop.run("sync").status == 0)
  }

  @Test func `the owner lists and ends tokens from a device`() async throws {
    let host = try await ServerHost()
    let laptop = try await host.device(of: "anna")
    try await host.machine.run("token", "create", "reports", "--scope", "read", "--account", "anna")
    let tokens = try await laptop.json("account", "tokens")["tokens"]?.array ?? []
    #expect(tokens.contains { $0["name"] == "reports" && $0["by"] == .null })
    #expect(tokens.contains { $0["device"]?.string != nil })
    let ended = try await laptop.json("account", "tokens", "revoke", "reports")
    #expect(ended["name"] == "reports" && ended["ended"]?["codes"] == 0)
    #expect(try await laptop.run("account", "tokens", "revoke", "reports").status == 66)
    let account = try await laptop.json("account")
    #expect(account["name"] == "anna" && account["quota"]?["bytes"] == .null)
  }
}

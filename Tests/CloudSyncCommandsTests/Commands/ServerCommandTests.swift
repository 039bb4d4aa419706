import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// The commands of a host, on a data folder without a server.
struct ServerCommandTests {
  @Test func `only the token is printed, for scripts`() async throws {
    let machine = try TestMachine()
    let outcome = await machine.run(
      "token", "create", "backup", "--scope", "read", "--expires", "90d")
    #expect(outcome.status == 0, "\(outcome.error)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 1 && lines.first?.hasPrefix("cst_") == true, "\(outcome.output)")
    let list = await machine.run("token", "list", "--json")
    #expect(list.document["tokens"]?[0]?["account"]?["name"]?.string == "me")
    #expect(!list.output.contains(lines.first ?? "cst_"))
  }

  @Test func `every document conforms to its schema`() async throws {
    let machine = try TestMachine()
    for (schema, words) in [
      ("token", ["token", "create", "a", "--scope", "sync", "--expires", "never"]),
      ("token", ["token", "create", "b", "--scope", "manage", "--account", "anna"]),
      ("tokens", ["token", "list"]), ("tokens", ["token", "list", "--account", "anna"]),
      ("server.accounts", ["server", "accounts"]),
      ("server.invite", ["server", "invite", "ben"]),
      ("server.invite", ["server", "invite", "ben", "--url", "https://sync.example.org/"]),
      ("server.admin", ["server", "admin"]),
      ("server.admin", ["server", "admin", "--url", "https://sync.example.org/below"]),
      ("server.admin", ["server", "admin", "--revoke"]),
      ("server.account", ["server", "account", "add", "carl", "--bytes", "10GB"]),
      ("server.account", ["server", "account", "rename", "CARL", "Carl K."]),
      ("server.account", ["server", "account", "quota", "carl k.", "--devices", "3"]),
      ("server.account", ["server", "account", "lock", "carl k."]),
      ("server.account", ["server", "account", "unlock", "carl k."]),
      ("server.export", ["server", "account", "export", "carl k.", "copy"]),
      ("server.account", ["server", "account", "remove", "carl k.", "--no-export", "--yes"]),
      ("server.invitations", ["server", "invitations"]), ("server.audit", ["server", "audit"]),
      ("server.backup", ["server", "backup", "backup.sqlite"]),
      ("server.check", ["server", "check"]), ("server.bucket", ["server", "bucket"]),
      ("server.restore", ["server", "restore", "backup.sqlite", "--yes"]),
      ("server.migrate", ["server", "migrate", "elsewhere", "--yes"]),
      ("server.migrate", ["server", "migrate", "--cancel", "--yes"]),
    ] {
      let outcome = await machine.run(words + ["--json"])
      #expect(outcome.status == 0, "\(words): \(outcome.error)")
      let problems = try Schemas.problems(in: outcome.document, by: schema)
      #expect(problems.isEmpty, "\(words): \(problems)")
    }
    let tokens = await machine.run("token", "list", "--json").document["tokens"]?.array ?? []
    let id = tokens.first?["id"]?.string ?? ""
    let revoked = await machine.run("token", "revoke", id, "--json")
    #expect(revoked.status == 0)
    #expect(try Schemas.problems(in: revoked.document, by: "token-revoke").isEmpty)
  }

  @Test func `an invitation without an address says what to do with its code`() async throws {
    let machine = try TestMachine()
    let outcome = await machine.run("server", "invite", "anna")
    let code = outcome.output.split(separator: "\n").first ?? "?"
    #expect(
      outcome.error.contains("cloudsync init --join \(code) --remote home=URL"), "\(outcome.error)")
    #expect(outcome.error.contains("created the account 'anna'"))
    #expect(await !machine.run("server", "invite", "ANNA").error.contains("created the account"))
  }

  @Test(arguments: [
    ["server", "account", "quota", "anna", "--bytes", "much"],
    ["server", "account", "quota", "anna", "--devices", "-1"],
    ["server", "account", "quota", "anna", "--devices", "1000"],
    ["server", "account", "remove", "anna"],
    ["server", "account", "remove", "anna", "--export", "a", "--no-export"],
    ["server", "account", "lock", "nobody"],
  ])
  func `an impossible argument of a host is 64`(words: [String]) async throws {
    let machine = try TestMachine()
    #expect(await machine.run("server", "account", "add", "anna").status == 0)
    let outcome = await machine.run(words + ["--json"])
    #expect(outcome.status == 64, "\(outcome.error)")
  }

  @Test func `an invitation's link keeps its code behind the hash`() async throws {
    let machine = try TestMachine(configuration: "server: { url: \"https://sync.example.org/\" }\n")
    let document = await machine.run("server", "invite", "anna", "--json").document
    let code = document["code"]?.string ?? ""
    #expect(code.utf8.count == 19, "\(code)")
    #expect(document["link"]?.string == "https://sync.example.org/join#\(code)")
    let wrong = await machine.run("server", "invite", "anna", "--url", "ftp://x", "--json")
    #expect(wrong.status == 64)
  }

  @Test func `a link to the pages of administration keeps its code behind the hash`() async throws {
    let machine = try TestMachine()
    #expect(await machine.run("server", "admin").status == 66)
    #expect(await machine.run("server", "invite", "anna").status == 0)
    let local = await machine.run("server", "admin", "--json").document
    let code = local["code"]?.string ?? ""
    #expect(code.utf8.count == 19, "\(code)")
    #expect(local["link"]?.string == "http://127.0.0.1:8765/admin/open#\(code)")
    let link = await machine.run("server", "admin", "--url", "https://sync.example.org/below/")
    #expect(link.output.hasPrefix("https://sync.example.org/below/admin/open#"), "\(link.output)")
    #expect(await machine.run("server", "admin", "--url", "ftp://x").status == 64)
    #expect(await machine.run("server", "admin", "--url", "https://x", "--revoke").status == 64)
    let ended = await machine.run("server", "admin", "--revoke", "--json").document
    #expect(ended["ended"]?.int == 0 && ended["link"] == .null)
    let audit = await machine.run("server", "audit", "--json").document["entries"]?.array ?? []
    #expect(audit.first?["action"]?.string == "admin.revoke")
    #expect(audit.first?["account"] == .null && audit.first?["address"]?.string == "local")
  }

  @Test(arguments: [
    ["token", "create", "a", "--scope", "all"], ["token", "create", "a"],
    ["token", "create", "a", "--scope", "read", "--expires", "soon"],
    ["token", "create", "a", "--scope", "read", "--expires", "0s"],
    ["serve", "--listen", "nowhere"], ["serve", "--auth", "password"],
    ["serve", "--tls-key", "key.pem"],
  ])
  func `an invalid command line is 64`(words: [String]) async throws {
    let outcome = await (try TestMachine()).run(words + ["--json"])
    #expect(outcome.status == 64, "\(outcome.error)")
  }

  @Test func `missing data or a missing token is 66`() async throws {
    let machine = try TestMachine()
    for words in [["token", "list"], ["server", "check"], ["server", "backup", "b"]] {
      #expect(await machine.run(words + ["--json"]).status == 66, "\(words)")
    }
    #expect(await machine.run("server", "invite", "anna").status == 0)
    #expect(await machine.run("token", "revoke", "0123456789abc").status == 66)
    #expect(await machine.run("server", "restore", "none", "--yes").status == 66)
  }

  @Test func `a certificate without its key, or a key alone, is an error of the configuration`()
    async throws
  {
    let machine = try TestMachine(configuration: "server: { tls-cert: cert.pem }\n")
    #expect(await machine.run("serve", "--listen", "127.0.0.1:0").status == 78)
  }
}

import SyncKitFormats
import Testing

/// Edits that reach no remote, with the real program on all sides: each is reported where it is made or found,
/// counted, and can be written to a file.
struct UnsentEditsTests {
  /// Anna shares a person with Ben, who may write.
  private struct Share {
    let host: ServerHost
    let anna: TestDevice
    let ben: TestDevice
    /// The id of the person.
    let id: String

    init(_ role: String = "writer") async throws {
      host = try await ServerHost()
      anna = try await host.device(of: "anna")
      ben = try await host.device(of: "ben")
      try await anna.run("health", "subject", "add", "Paul")
      let made = try await anna.json(
        "health", "share", "Paul", "--with", "Ben", "--role", role, "--yes")
      let link = made["invitations"]?[0]?["link"]?.string ?? ""
      try #require(try await ben.run("share", "accept", link).status == 0)
      id = try await ben.json("health", "subject", "list")["subjects"]?[0]?["id"]?.string ?? ""
    }
  }

  @Test
  func `sync reports and counts a removed guest's edit, status shows it, and it can be exported`()
    async throws
  {
    let share = try await Share()
    let ben = share.ben
    #expect(try await share.anna.run("share", "remove", "Paul", "ben").status == 0)
    let set = try await ben.run("health", "set", share.id, "personalGivenName=Evil")
    #expect(set.status == 0)

    // It is reported in words once, even without a terminal, and counted in each run.
    let told = try await ben.run("sync")
    #expect(told.status == 0 && told.output.isEmpty)
    #expect(told.error.contains("Edits of 1 record are not sent"))
    #expect(told.error.contains("'cloudsync health export FILE --unsent' writes a copy"))
    let again = try await ben.run("sync")
    #expect(again.status == 0 && again.error.isEmpty)
    let job = try await ben.json("sync", "--domain", "health")["jobs"]?[0]
    #expect(job?["unsent"] == 1 && job?["result"] == "ok")
    let table = try await ben.run("sync", "-v", "--domain", "health")
    #expect(table.output.contains("unsent"))
    #expect(try await share.anna.json("sync", "--domain", "health")["jobs"]?[0]?["unsent"] == 0)

    let status = try await ben.run("status")
    #expect(status.output.contains("health: Edits of 1 record are not sent: anna no longer shares"))
    let row = try await ben.json("status", "health")["domains"]?[0]
    #expect(row?["state"] == "pending" && row?["unsent"]?[0]?["reason"] == "removed")
    #expect(row?["unsent"]?[0]?["record"]?.string == "subject/\(share.id)")
    #expect(try await ben.run("status", "--check").status == 2)

    let file = ben.path("unsent.json")
    let written = try await ben.run("health", "export", file, "--unsent")
    #expect(written.status == 0 && written.error.contains("wrote 1 record to"))
    let records = try JSON(parsing: try Files.text(file))["records"]?.array
    #expect(records?.count == 1 && records?[0]["fields"]?["personalGivenName"] == "Evil")

    // From now on an edit is refused, with the reason and a way out.
    let refused = try await ben.run("health", "set", share.id, "personalGivenName=More")
    #expect(refused.status == 77 && refused.error.contains("would not be sent, so none was made"))
    #expect(refused.error.contains("cloudsync health export"))
  }

  @Test func `a reader's edit is refused, and a demoted writer's is counted`() async throws {
    let share = try await Share()
    #expect(try await share.anna.run("share", "role", "Paul", "ben", "reader").status == 0)
    let set = try await share.ben.run("health", "set", share.id, "personalGivenName=Late")
    #expect(set.status == 0)
    let told = try await share.ben.run("sync")
    #expect(told.status == 0 && told.error.contains("now shares a record with you read-only"))
    #expect(told.error.contains("Edits of 1 record are not sent"))
    let row = try await share.ben.json("status", "health")["domains"]?[0]
    #expect(row?["unsent"]?[0]?["reason"] == "reader")
    let refused = try await share.ben.run("health", "set", share.id, "personalGivenName=More")
    #expect(refused.status == 77 && refused.error.contains("would not be sent"))
    let own = try await share.anna.json("health", "subject", "list")["subjects"]?[0]
    #expect(own?["name"] == "Paul")
  }

  @Test func `a guest's edit in a withdrawn tree stays, and says so`()
    async throws
  {
    let share = try await Share()
    let ben = share.ben
    try await ben.run("sync")
    #expect(try await ben.run("health", "set", share.id, "personalGivenName=Late").status == 0)
    #expect(try await share.anna.run("health", "scope", "Paul", "local").status == 0)
    #expect(try await share.anna.run("sync").status == 0)
    let told = try await ben.run("sync")
    #expect(told.error.contains("are not sent"), "\(told.error)")
    #expect(try await ben.run("status", "--check").status == 2)
    let file = ben.path("unsent.json")
    #expect(try await ben.run("health", "export", file, "--unsent").status == 0)
    #expect(try Files.text(file).contains("Late"))
    // The owner has chosen to keep the tree; there is no warning there.
    let own = try await share.anna.run("health", "set", share.id, "personalGivenName=Mine")
    #expect(own.status == 0 && !own.error.contains("not be sent"))
    #expect(try await share.anna.run("status", "--check").status == 0)
  }

  @Test func `an edit in a tree that another device made local says so where it is made`()
    async throws
  {
    let devices = try await TwoDevices()
    let (laptop, phone) = (devices.first, devices.second)
    try await laptop.run("health", "subject", "add", "Paul")
    // Never published, it is local by choice.
    let own = try await laptop.run("health", "set", "Paul", "personalFamilyName=A")
    #expect(own.status == 0 && !own.error.contains("not be sent"))
    try await laptop.run("health", "scope", "Paul", "synced")
    try await devices.sync()
    try await phone.run("health", "set", "Paul", "personalFamilyName=B")
    try await laptop.run("health", "scope", "Paul", "local")
    try await laptop.run("sync")
    let told = try await phone.run("sync")
    #expect(told.status == 0 && told.error.contains("Edits of 1 record are not sent"))
    let edit = try await phone.run("health", "set", "Paul", "personalFamilyName=C")
    #expect(edit.status == 0 && edit.error.contains("the edit will not be sent"))
    let quiet = try await phone.run("health", "set", "Paul", "personalFamilyName=D", "-q")
    #expect(quiet.error.isEmpty)
    let document = try await phone.json("health", "set", "Paul", "personalFamilyName=E")
    #expect(document["unsent"]?[0]?["reason"] == "erased")
    #expect(document["warnings"]?[0]?.string?.contains("will not be sent") == true)
    #expect(try await phone.json("sync", "--domain", "health")["jobs"]?[0]?["unsent"] == 1)
    #expect(try await phone.run("status", "--check").status == 2)
    // Published, as the warning says, it is sent.
    let id = try await phone.json("health", "subject", "list")["subjects"]?[0]?["id"]?.string ?? ""
    #expect(try await phone.run("health", "scope", "subject/\(id)", "synced").status == 0)
    #expect(try await phone.run("sync").status == 0)
    #expect(try await phone.run("status", "--check").status == 0)
  }

  @Test func `leaving a share with unsent edits is refused, unless they are discarded`()
    async throws
  {
    let share = try await Share()
    let set = try await share.ben.run("health", "set", share.id, "personalGivenName=Mine")
    #expect(set.status == 0)
    let stopped = try await share.ben.run("share", "leave", "Paul", "--yes", "--json")
    #expect(stopped.status == 77 && stopped.failure["code"] == "store.unsent")
    #expect(try await share.ben.json("health", "subject", "list")["subjects"]?.array?.count == 1)
    let left = try await share.ben.run("share", "leave", "Paul", "--yes", "--discard-unsent")
    #expect(left.status == 0, "\(left.error)")
    let list = try await share.ben.json("health", "subject", "list")
    #expect(list["subjects"]?.array?.isEmpty == true)
  }

  @Test func `a domain that was synced and has lost its remote says so at each edit`() async throws
  {
    let devices = try await TwoDevices()
    let laptop = devices.first
    let first = try await laptop.run("airports", "add", "JFK", "KJFK")
    #expect(!first.error.contains("stays here"))
    try await devices.sync()
    #expect(try await laptop.run("config", "set", "domains.airports.enabled", "false").status == 0)
    let off = try await laptop.run("airports", "add", "LHR", "EGLL")
    #expect(off.status == 0 && off.error.contains("is disabled now: the edit stays here until"))
    #expect(try await laptop.run("config", "set", "domains.airports.enabled", "true").status == 0)
    #expect(try await laptop.run("remote", "rm", "folder", "--yes").status == 0)
    let lost = try await laptop.run("airports", "add", "ZRH", "LSZH")
    #expect(
      lost.status == 0 && lost.error.contains("has no remote now: the edit stays here until"))
    #expect(try await laptop.json("airports", "rm", "ZRH")["unsent"]?[0]?["reason"] == "no-remote")
    // A device that never had a remote is standalone.
    let lone = try TestDevice()
    let alone = try await lone.run("airports", "add", "JFK", "KJFK")
    #expect(!alone.error.contains("stays here"))
  }
}

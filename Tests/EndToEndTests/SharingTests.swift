import SyncKitFormats
import Testing

/// Records that people share, with the real program on all sides.
struct SharingTests {
  @Test func `a person shares a record, the guest edits it, and the share ends`() async throws {
    let host = try await ServerHost()
    let anna = try await host.device(of: "anna")
    let ben = try await host.device(of: "ben")
    try await anna.run("health", "subject", "add", "Paul")

    // Private is the default: without a yes nothing leaves.
    let asked = try await anna.run("health", "share", "Paul", "--with", "Ben", "--no-input")
    #expect(asked.status == 64)
    #expect(try await anna.json("share", "list")["shares"]?.array?.count == 0)

    let made = try await anna.json(
      "health", "share", "Paul", "--with", "Ben", "--role", "writer", "--yes")
    #expect(made["title"] == "Paul" && made["summary"] == "Shared with Ben (writer, pending)")
    let link = made["invitations"]?[0]?["link"]?.string ?? ""
    #expect(link.hasPrefix("\(host.url)/share#csi_"))

    let accepted = try await ben.json("share", "accept", link)
    #expect(accepted["owner"] == "anna" && accepted["role"] == "writer")
    let seen = try await ben.json("health", "subject", "list")["subjects"]?[0]
    #expect(seen?["name"] == "Paul" && seen?["scope"] == "shared" && seen?["owner"] == "anna")

    let id = seen?["id"]?.string ?? ""
    #expect(try await ben.run("health", "set", id, "personalFamilyName=Smith").status == 0)
    try await ben.run("sync")
    try await anna.run("sync")
    let own = try await anna.json("health", "show", id)["record"]
    #expect(own?["fields"]?["personalFamilyName"] == "Smith")
    #expect(own?["scope"] == "shared" && own?["role"] == "owner")

    // A reader reads.
    #expect(try await anna.run("share", "role", "Paul", "ben", "reader").status == 0)
    try await ben.run("sync")
    let refused = try await ben.run("health", "set", id, "personalFamilyName=Jones", "--json")
    #expect(refused.status == 77 && refused.failure["code"] == "share.read-only")

    // After the removal the guest keeps the received data, and gets nothing more.
    #expect(try await anna.run("share", "remove", "Paul", "ben").status == 0)
    try await anna.run("health", "set", id, "personalFamilyName=Secret")
    try await anna.run("sync")
    #expect(try await ben.run("sync").status == 0)
    let kept = try await ben.json("health", "show", id)["record"]
    #expect(kept?["fields"]?["personalFamilyName"] == "Smith" && kept?["role"] == "removed")
  }

  @Test func `the same command shares lists and bikes, and guests can leave`() async throws {
    let host = try await ServerHost()
    let anna = try await host.device(of: "anna")
    let ben = try await host.device(of: "ben")
    try await anna.run("media", "lists", "--add", "Weekend")
    try await anna.run("bike", "add", "b1", "name=Trail")
    for (domain, record) in [("media", "Weekend"), ("bike", "b1")] {
      let made = try await anna.json(domain, "share", record, "--with", "Ben", "--yes")
      let link = made["invitations"]?[0]?["link"]?.string ?? ""
      #expect(try await ben.run("share", "accept", link).status == 0)
      // Running it again gives the same share, and invites no guest twice.
      let again = try await anna.json(domain, "share", record, "--with", "ben", "--yes")
      #expect(again["id"] == made["id"])
      #expect(again["invitations"]?[0]?["link"] == .null)
    }
    #expect(try await ben.json("bike", "list")["records"]?.array?.count == 1)
    #expect(try await ben.json("share", "list")["shares"]?.array?.count == 2)
    #expect(try await ben.run("share", "leave", "Trail", "--yes").status == 0)
    try await ben.run("sync")
    #expect(try await ben.json("bike", "list")["records"]?.array?.count == 0)
    #expect(try await anna.run("share", "stop", "Weekend", "--yes").status == 0)
    #expect(try await anna.json("media", "lists")["lists"]?.array?.count == 1)
  }

  @Test func `a folder refuses to share, and names the alternatives`() async throws {
    let device = try TestDevice()
    try await device.run(
      "init", "--yes", "--unencrypted", "--remote", "folder=file:\(device.path("remote"))")
    try await device.run("bike", "add", "b1", "name=Trail")
    let refused = try await device.run("bike", "share", "b1", "--with", "Ben", "--json")
    #expect(refused.status == 78 && refused.failure["code"] == "remote.no-server")
    #expect(refused.failure["hint"]?.string?.contains("remote add") == true)
    #expect(try await device.run("device", "pair").status == 78)
  }

  @Test func `a link of any other host is refused, and nothing is sent there`() async throws {
    let host = try await ServerHost()
    let other = try await ServerHost()
    let ben = try await host.device(of: "ben")
    let anna = try await other.device(of: "anna")
    try await anna.run("bike", "add", "b1", "name=Trail")
    let made = try await anna.json("bike", "share", "b1", "--with", "Ben", "--yes")
    let link = made["invitations"]?[0]?["link"]?.string ?? ""
    let refused = try await ben.run("share", "accept", link, "--json")
    #expect(refused.status == 77 && refused.failure["code"] == "share.other-host")
  }
}

import SyncKitFormats
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An independent client, written in Python from the pages in Documentation/Formats alone, and our own devices,
/// on a real server.
struct ForeignClientTests {
  /// The program in Tests/ForeignClient with its state.
  private struct Client {
    let home: TestDevice

    init() throws { home = try TestDevice() }

    @discardableResult
    func callAsFunction(_ words: String...) async throws -> JSON {
      let python = try #require(Self.python, "there is no python3")
      let outcome = try await CommandRunner.run(
        ["-B", "\(Self.root)/Tests/ForeignClient/story.py", home.path("state")]
          + ["\(Self.root)/Documentation/Formats"] + words, program: python,
        environment: home.environment, folder: home.home)
      try #require(outcome.status == 0, "\(words): \(outcome.error)")
      return outcome.document
    }

    static let root: String = {
      var parts = #filePath.split(separator: "/")
      parts.removeLast(3)
      return "/" + parts.joined(separator: "/")
    }()

    private static let python: String? = {
      let folders = (getenv("PATH").map { String(cString: $0) } ?? "") + ":/usr/bin"
      return folders.split(separator: ":").map { "\($0)/python3" }
        .first { access($0, X_OK) == 0 }
    }()
  }

  /// Our device and the foreign client, in one account.
  private func meet() async throws -> (host: ServerHost, device: TestDevice, client: Client) {
    let host = try await ServerHost()
    let device = try await host.device(of: "anna")
    let client = try Client()
    let code = try await device.json("device", "pair")["code"]?.string ?? ""
    let joined = try await client("join", host.url, code)
    #expect(joined["account"]?.string == "anna")
    return (host, device, client)
  }

  private func sync(_ device: TestDevice) async throws {
    let outcome = try await device.run("sync")
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.error)")
  }

  /// The fields of a record from `show`, without unset ones.
  private func fields(
    _ device: TestDevice, _ domain: String, _ record: String
  ) async throws
    -> JSONObject
  {
    let shown = try await device.json(domain, "show", record)["fields"]?.object ?? JSONObject()
    return JSONObject(shown.members.filter { $0.value != .null }.map { ($0.key, $0.value) })
  }

  private func same(_ left: JSONObject, _ right: JSONObject) -> Bool {
    left.members.count == right.members.count
      && left.members.allSatisfy { right[$0.key] == $0.value }
  }

  @Test func `it produces the examples of the pages`() async throws {
    let checked = try await Client()("check")["checked"]?.array ?? []
    #expect(checked == ["Segment.md", "Example.md"])
  }

  @Test func `it writes a record into every collection of every domain, and a device shows them`()
    async throws
  {
    let (host, device, client) = try await meet()
    let written = try await client("write")
    try await sync(device)
    for domain in ["airports", "settings", "health", "media", "bike"] {
      let collections = try #require(written[domain]?.object, "\(domain)")
      #expect(!collections.members.isEmpty)
      for (collection, record) in collections.members {
        let id = record["id"]?.string ?? ""
        let there = try await fields(device, domain, "\(collection)/\(id)")
        let wanted = record["fields"]?.object ?? JSONObject()
        #expect(same(there, wanted), "\(domain)/\(collection): \(there) instead of \(wanted)")
      }
    }
    let devices = try await device.json("device", "list")["devices"]?.array ?? []
    #expect(devices.contains { $0["name"]?.string == "a client in Python" })
    let verified = try await device.run("verify")
    #expect(verified.status == 0, "\(verified.error)")
    try await host.process.stop()
  }

  @Test func `it reads what a device has written in every domain`() async throws {
    let (host, device, client) = try await meet()
    for words in [
      ["airports", "add", "ZRH", "LSZH"], ["settings", "put", "font.size", "14.5"],
      ["health", "subject", "add", "Rex", "--pet"], ["health", "scope", "Rex", "synced"],
      ["media", "lists", "--add", "Weekend"],
      ["media", "add", "The Matrix", "--year", "1999"], ["bike", "add", "b1", "name=Trail bike"],
    ] {
      let outcome = try await device.run(words)
      try #require(outcome.status == 0, "\(words): \(outcome.error)")
    }
    try await sync(device)
    let read = try await client("read")
    var domains = 0
    for domain in ["airports", "settings", "health", "media", "bike"] {
      let list = try await device.json(domain, "export", "-", "--format", "records")
      for record in list["records"]?.array ?? [] {
        let collection = record["collection"]?.string ?? ""
        let id = record["id"]?.string ?? ""
        let wanted = record["fields"]?.object ?? JSONObject()
        let set = JSONObject(wanted.members.filter { $0.value != .null }.map { ($0.key, $0.value) })
        let found = read[domain]?[collection]?[id]?.object ?? JSONObject()
        #expect(same(found, set), "\(domain)/\(collection)/\(id): \(found) instead of \(set)")
        domains += collection == "mapping" || collection == "bike" ? 1 : 0
      }
    }
    #expect(domains == 2)
    for domain in ["settings", "health", "media"] {
      #expect(read[domain]?.object?.members.contains { $0.value.object?.isEmpty == false } == true)
    }
    try await host.process.stop()
  }

  @Test func `edits and deletions go both ways`() async throws {
    let (host, device, client) = try await meet()
    try await device.run("airports", "add", "ZRH", "LSZH")
    try await device.run("airports", "add", "JFK", "KJFK")
    try await sync(device)
    try await client("set", "airports/mapping/ZRH", #"{"icao": "EDDB"}"#)
    try await client("delete", "airports/mapping/JFK")
    try await sync(device)
    #expect(try await device.codes() == ["ZRH": "EDDB"])
    // The rest of the group is as it was, since the client writes it whole.
    #expect(try await fields(device, "airports", "ZRH")["source"]?.string == "manual")
    try await device.run("airports", "set", "ZRH", "icao=LSZH")
    try await device.run("airports", "restore", "JFK")
    try await sync(device)
    let read = try await client("read")["airports"]?["mapping"]
    #expect(read?["ZRH"]?["icao"]?.string == "LSZH")
    #expect(read?["JFK"]?["icao"]?.string == "KJFK")
    #expect(try await device.json("airports", "conflicts")["conflicts"]?.array?.isEmpty == true)
    try await host.process.stop()
  }

  @Test func `its values beside a group hide nothing, and set and add correct them`()
    async throws
  {
    let (host, device, client) = try await meet()
    for (iata, icao) in [("ZRH", "LSZH"), ("GVA", "LSGG"), ("JFK", "KJFK")] {
      try await device.run("airports", "add", iata, icao)
    }
    try await sync(device)
    // A field beside the group, a group of another type, and a member of another type among foreign ones.
    try await client("odd", "airports/mapping/ZRH", #"{"icao": "LSXX", "unknown": 1}"#)
    try await client("odd", "airports/mapping/GVA", #"{"code": "LSXX"}"#)
    try await client(
      "odd", "airports/mapping/JFK", #"{"code": {"icao": 5, "created": "x", "lastUsed": 1}}"#)
    try await sync(device)
    #expect(try await device.codes() == ["ZRH": "LSZH"])
    let shown = try await device.json("airports", "show", "ZRH")
    #expect(shown["fields"]?["icao"]?.string == "LSZH")
    #expect(shown["otherFields"]?["icao"]?.string == "LSXX")
    #expect(shown["conflicts"]?.array?.isEmpty == true)
    for words in [
      ["airports", "list"], ["airports", "list", "--output", "csv"], ["airports", "stats"],
      ["airports", "export", "-", "--format", "csv"], ["doctor"], ["status"], ["verify"],
      ["history", "list"],
    ] {
      let outcome = try await device.run(words)
      #expect(outcome.status == 0, "\(words): \(outcome.error)")
      #expect(!words.contains("airports") || !outcome.output.contains("LSXX"), "\(words)")
    }

    try await device.run("airports", "set", "ZRH", "icao=LSXX")
    #expect(try await fields(device, "airports", "ZRH")["icao"]?.string == "LSXX")
    try await device.run("airports", "set", "ZRH", "icao=LSZH")
    try await device.run("airports", "add", "GVA", "LSGG")
    let import_ = try await device.run("airports", "import", "-", input: #"{"JFK": "KJFK"}"#)
    #expect(import_.status == 0, "\(import_.error)")
    let whole = ["ZRH": "LSZH", "GVA": "LSGG", "JFK": "KJFK"]
    #expect(try await device.codes() == whole)

    // A later device shows the same, and the foreign registers are unchanged.
    try await sync(device)
    let other = try await host.device(beside: device, "phone")
    try await sync(other)
    #expect(try await other.codes() == whole)
    let registers = try await client("registers", "airports/mapping/ZRH")
    #expect(registers["icao"]?.array == ["LSXX"])
    #expect(registers["unknown"]?.array == [1])
    let group = try await client("registers", "airports/mapping/JFK")["code"]?[0]
    #expect(group?["icao"]?.string == "KJFK" && group?["created"]?.string == "x")
    try await host.process.stop()
  }

  @Test func `a record with an unusual id can be shown and removed`()
    async throws
  {
    let (host, device, client) = try await meet()
    try await client("odd", "airports/mapping/zrh", #"{"code": {"icao": "LSXX"}}"#)
    try await client("odd", "airports/mapping/not-a-code", #"{"code": {"icao": "LSXX"}}"#)
    try await sync(device)
    for id in ["zrh", "not-a-code"] {
      #expect(try await fields(device, "airports", id)["icao"]?.string == "LSXX")
      let removed = try await device.run("airports", "rm", id)
      #expect(removed.status == 0, "\(removed.error)")
    }
    #expect(try await device.codes() == [:])
    try await host.process.stop()
  }
}

import SyncKitFormats
import Testing

/// The output of lists and single records.
struct RecordsListTests {
  @Test func `a record has all keys of the contract`() async throws {
    let device = try TestDevice()
    try await device.run("airports", "add", "JFK", "KJFK")
    let list = try await device.json("airports", "list")
    expectKeys(list, "cloudsync.airports.list/1", "records")
    let record = try #require(list["records"]?[0])
    #expect(record["collection"]?.string == "mapping")
    #expect(record["id"]?.string == "JFK")
    for field in ["icao", "source", "learnedAutomatically", "verifiedByCoordinates"] {
      #expect(record["fields"]?[field] != nil)
    }
    for key in ["created", "modified"] {
      let time = try #require(record[key]?.string)
      #expect(time.utf8.count == 24 && Timestamp.parse(time) != nil)
    }
    #expect(record["device"]?["id"]?.string?.isEmpty == false)
    #expect(record["device"]?["name"]?.string?.isEmpty == false)
    #expect(["local", "synced", "shared"].contains(record["scope"]?.string))
    #expect(record["conflicts"] == [])
    #expect(record["deleted"] == nil)
    let shown = try await device.json("airports", "show", "jfk")
    expectKeys(shown, "cloudsync.airports.show/1")
    for (key, value) in record.object?.members ?? [] { #expect(shown[key] == value) }
  }

  @Test func `a list is sorted by id, or newest first`() async throws {
    let device = try TestDevice()
    for pair in [["LHR", "EGLL"], ["JFK", "KJFK"], ["ABC", "LEAB"]] {
      try await device.run(["airports", "add"] + pair)
    }
    func ids(_ arguments: String...) async throws -> [String] {
      let outcome = try await device.run(["airports", "list", "--plain"] + arguments)
      return outcome.lines.map { String($0.prefix(3)) }
    }
    #expect(try await ids() == ["ABC", "JFK", "LHR"])
    #expect(try await ids("--sort", "modified") == ["ABC", "JFK", "LHR"])
    try await device.run("airports", "set", "LHR", "source=verified")
    #expect(try await ids("--sort", "modified") == ["LHR", "ABC", "JFK"])
    #expect(try await device.run("airports", "list", "--sort", "size").status == 64)
  }

  @Test func `a search finds words, sorts by fields and goes page by page`() async throws {
    let device = try TestDevice()
    for pair in [["LHR", "EGLL"], ["JFK", "KJFK"], ["ABC", "LEAB"], ["MAD", "LEMD"]] {
      try await device.run(["airports", "add"] + pair)
    }
    func found(_ arguments: String...) async throws -> [String] {
      let list = try await device.json(["airports", "search"] + arguments)
      return list["records"]?.array?.compactMap { $0["id"]?.string } ?? []
    }
    #expect(try await found() == ["ABC", "JFK", "LHR", "MAD"])
    #expect(try await found("le") == ["ABC", "MAD"])
    #expect(try await found("LE", "md") == ["MAD"])
    #expect(try await found("nowhere") == [])
    #expect(try await found("--sort", "icao") == ["LHR", "JFK", "ABC", "MAD"])
    #expect(try await found("--sort", "icao", "--reverse") == ["MAD", "ABC", "JFK", "LHR"])
    #expect(try await found("--reverse", "--limit", "2") == ["MAD", "LHR"])
    #expect(try await found("--limit", "2", "--skip", "1") == ["JFK", "LHR"])
    #expect(try await found("--limit", "2", "--skip", "9") == [])
    for (limit, hasMore) in [("3", true), ("4", false), ("0", false)] {
      let list = try await device.json("airports", "search", "--limit", limit)
      #expect(list["more"]?.bool == hasMore, "\(limit)")
      expectKeys(list, "cloudsync.airports.list/1", "records", "more")
    }
    let wrong = try await device.run("airports", "search", "--sort", "icaoo", "--json")
    expectFailure(wrong, 64, "usage")
    #expect(wrong.failure["hint"]?.string == "did you mean 'icao'?")
    #expect(try await device.run("airports", "search", "--limit", "-1").status == 64)
  }

  @Test func `a domain tells its collections and their fields`() async throws {
    let device = try TestDevice()
    for domain in ["airports", "settings", "health", "media", "bike"] {
      let fields = try await device.json(domain, "fields")
      #expect(fields["domain"]?.string == domain)
      expectKeys(fields, "cloudsync.fields/1", "domain", "collections")
    }
    try await device.run("airports", "add", "JFK", "KJFK")
    let mapping = try await device.json("airports", "fields")["collections"]?[0]
    #expect(mapping?["records"]?.int == 1)
    #expect(mapping?["name"]?.string == "mapping")
    let icao = mapping?["fields"]?.array?.first { $0["name"]?.string == "icao" }
    #expect(icao?["type"]?.string == "string" && icao?["group"]?.string == "code")
  }

  @Test func `deleted records show only on request`() async throws {
    let device = try TestDevice()
    try await device.run("airports", "add", "JFK", "KJFK")
    try await device.run("airports", "add", "LHR", "EGLL")
    try await device.run("airports", "rm", "jfk")
    #expect(try await device.codes() == ["LHR": "EGLL"])
    let all = try await device.json("airports", "list", "--deleted")["records"]?.array ?? []
    #expect(all.map { $0["id"]?.string } == ["JFK", "LHR"])
    #expect(all.map { $0["deleted"]?.bool } == [true, nil])
    let absent = try await device.run("airports", "show", "JFK", "--json")
    expectFailure(absent, 66, "record.not-found")
    let shown = try await device.json("airports", "show", "JFK", "--deleted")
    #expect(shown["deleted"]?.bool == true)
  }

  @Test func `every format has the same records`() async throws {
    let device = try TestDevice()
    try await device.run("airports", "add", "JFK", "KJFK")
    try await device.run("airports", "add", "LHR", "EGLL")
    let lines = try await device.run("airports", "list", "--output", "jsonl").lines
    #expect(try lines.map { try JSON(parsing: $0)["id"]?.string } == ["JFK", "LHR"])
    let csv = try await device.run("airports", "list", "--output", "csv").lines
    #expect(csv.count == 3 && csv[0].hasPrefix("iata,icao,source,verified,modified,device"))
    let plain = try await device.run("airports", "list", "--plain").lines
    let cells = plain.map { $0.split(separator: "\t").prefix(2).joined(separator: " ") }
    #expect(cells == ["JFK KJFK", "LHR EGLL"])
    let table = try await device.run("airports", "list").lines
    #expect(table.count == 3 && table[0].hasPrefix("iata"))
  }

  @Test func `an empty list is an empty list`() async throws {
    let device = try TestDevice()
    #expect(try await device.json("airports", "list")["records"] == [])
    #expect(try await device.run("airports", "list").output.isEmpty)
    #expect(try await device.json("airports", "stats")["records"] == 0)
  }

  @Test func `other collections are listed by name`() async throws {
    let device = try TestDevice()
    let added = try await device.run("airports", "list", "--collection", "mappin", "--json")
    expectFailure(added, 64, "usage")
    #expect(added.failure["hint"]?.string == "did you mean 'mapping'?")
    let both = try await device.json(
      "airports", "list", "--collection", "unknown", "--collection", "rejection")
    #expect(both["records"] == [])
  }

  @Test func `counts are by collection, device and source`() async throws {
    let device = try TestDevice()
    try await device.run("airports", "add", "JFK", "KJFK")
    try await device.run("airports", "learn", "LHR", "EGLL")
    try await device.run("airports", "add", "ABC", "LEAB")
    try await device.run("airports", "rm", "ABC")
    let stats = try await device.json("airports", "stats")
    expectKeys(
      stats, "cloudsync.airports.stats/1", "records", "deleted", "conflicts", "runs",
      "collections", "devices", "fields", "created", "modified")
    #expect(stats["records"] == 2 && stats["deleted"] == 1)
    #expect(stats["fields"]?["source"] == ["manual": 1, "learned": 1])
    #expect(stats["fields"]?["verifiedByCoordinates"] == ["false": 2])
    #expect(stats["devices"]?[0]?["records"] == 2)
    #expect(stats["collections"]?[0] == ["name": "mapping", "records": 2, "deleted": 1])
  }
}

import SyncKitFormats
import Testing

/// Two devices of a rider, through the real program: some data syncs, some never does.
struct BikeStoryTests {
  /// Adds rides of the last days to a device, an hour each.
  private func ride(_ device: TestDevice, _ bike: String, days: ClosedRange<Int>) async throws {
    for day in days {
      let outcome = try await device.run(
        "bike", "ride", "add", "--bike", bike, "--date", "\(day)d", "--km", "20", "--time", "1h")
      try #require(outcome.status == 0, "\(outcome.error)")
    }
  }

  private func services(_ device: TestDevice) async throws -> [JSON] {
    try await device.json("bike", "due")["services"]?.array ?? []
  }

  @Test func `an interval reaches a device without the bike, and is serviced there`() async throws {
    let devices = try await TwoDevices()
    let (laptop, phone) = (devices.first, devices.second)
    let added = try await laptop.json(
      "bike", "add", "--collection", "interval", "bikeId=b123", "part=Chain", "intervalTime=5")
    #expect(added.counts == [1, 0, 0, 0])
    try await ride(laptop, "b123", days: 1...6)
    try await devices.sync()

    let here = try #require(try await services(laptop).first)
    #expect(here["status"]?.string == "overdue" && here["share"]?.double == 1.2)
    let there = try #require(try await services(phone).first)
    // Rides do not sync, so this device cannot tell.
    #expect(there["status"]?.string == "unknown")
    #expect(there["bike"]?["standing"]?.string == "missing")
    let table = try await phone.run("bike", "due").output
    #expect(table.contains("bike b123, not here"))

    let done = try await phone.json(
      "bike", "service", "chain", "--bike", "b123", "--note", "waxed", "--cost", "4.5",
      "--currency", "eur")
    #expect(done["schema"]?.string == "cloudsync.bike.service/1")
    #expect(done.counts == [1, 1, 0, 0])
    try await devices.sync()
    #expect(try await services(laptop).first?["share"]?.double == 0)
    let log = try await laptop.json("bike", "service-log")
    #expect(log["records"]?[0]?["note"]?.string == "waxed")
    #expect(log["costs"]?["EUR"]?.double == 4.5)
  }

  @Test func `rides stay where they are, whatever is synced`() async throws {
    let devices = try await TwoDevices()
    try await devices.first.run("bike", "add", "b1", "name=Trail")
    try await devices.first.run(
      "bike", "ride", "add", "--bike", "b1", "--time", "1h", "--name", "unmistakable-ride")
    try await devices.sync()
    #expect(
      try await devices.second.json("bike", "ride", "list")["records"]?.array?.isEmpty == true)
    #expect(
      try await devices.second.json("bike", "show", "b1")["fields"]?["name"]?.string == "Trail")
    let data = devices.first.path(".local/share/cloudsync")
    #expect(Files.names(in: data).contains("strava.sqlite"))
    #expect(Files.mode("\(data)/strava.sqlite") == 0o600)
    let status = try await devices.first.json("status")["domains"]?.array ?? []
    #expect(!status.contains { $0["name"]?.string == "strava" })
    #expect(try await devices.first.run("strava", "list").status == 64)
    #expect(try await devices.first.run("sync", "--domain", "strava").status == 64)
    // Not even the name of the store is on the remote.
    func contains(_ text: String, _ path: String) throws -> Bool {
      let names = Files.names(in: path)
      guard names.isEmpty else {
        return try names.contains { try $0.contains(text) || contains(text, "\(path)/\($0)") }
      }
      let bytes = (try? Files.read(path)) ?? []
      return String(decoding: bytes, as: UTF8.self).contains(text)
    }
    #expect(try !contains("strava", devices.shared))
    #expect(try !contains("unmistakable", devices.shared))
  }

  @Test func `defaults of two devices do not double, and a deletion shows orphans`() async throws {
    let devices = try await TwoDevices()
    for device in [devices.first, devices.second] {
      try await device.run("bike", "add", "b1", "name=Trail", "kind=hardtail")
      #expect(try await device.json("bike", "defaults", "Trail").counts == [3, 0, 0, 0])
    }
    try await devices.sync()
    for device in [devices.first, devices.second] {
      #expect(try await services(device).count == 3)
      #expect(try await device.json("conflicts", "list")["conflicts"]?.array?.isEmpty == true)
    }
    #expect(try await devices.first.digest() == devices.second.digest())
    try await devices.first.run("bike", "rm", "b1")
    try await devices.sync()
    let orphans = try await services(devices.second)
    #expect(orphans.count == 3)
    #expect(orphans.allSatisfy { $0["bike"]?["standing"]?.string == "deleted" })
    try await devices.second.run("bike", "restore", "b1")
    try await devices.sync()
    #expect(try await services(devices.first).allSatisfy { $0["bike"]?["name"]?.string == "Trail" })
  }

  @Test func `a reminder comes once in seven days`() async throws {
    let device = try TestDevice()
    try await device.run(
      "bike", "add", "--collection", "interval", "bikeId=b1", "part=Chain", "intervalTime=5")
    try await ride(device, "b1", days: 1...6)
    let told = try await device.json("bike", "due", "--notify")["services"]?.array ?? []
    #expect(told.map { $0["part"]?.string } == ["Chain"])
    #expect(told[0]["notificationId"]?.string?.hasPrefix("service-interval-") == true)
    #expect(try await device.json("bike", "due", "--notify")["services"]?.array?.isEmpty == true)
    #expect(try await services(device).count == 1)
  }

  @Test func `two processes that look for reminders give each one once`() async throws {
    let device = try TestDevice()
    try await device.run(
      "bike", "add", "--collection", "interval", "bikeId=b1", "part=Chain", "intervalTime=5")
    try await ride(device, "b1", days: 1...6)
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await device.json("bike", "due", "--notify")["services"]?.array?.count ?? -1
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts.sorted() == [0, 0, 0, 1])
  }

  @Test func `wheels are swapped with what is on them`() async throws {
    let device = try TestDevice()
    try await device.run("bike", "add", "b1", "name=Trail")
    for (name, place, day) in [
      ("Summer", "b1", "10d"), ("Tyre", "component/Summer", "10d"), ("Winter", "b1", "9d"),
    ] {
      let outcome = try await device.run(
        "bike", "component", "add", name, "--on", place, "--at", day)
      try #require(outcome.status == 0, "\(outcome.error)")
    }
    try await device.run("bike", "component", "remove", "Winter", "--at", "9d")
    try await ride(device, "b1", days: 2...5)
    let swapped = try await device.json(
      "bike", "component", "swap", "Summer", "Winter", "--at", "84h")
    #expect(swapped["errors"]?.array?.isEmpty == true)
    let parts = try await device.json("bike", "component", "tree")["parts"]?.array ?? []
    let hours = Dictionary(
      parts.map { ($0["name"]?.string ?? "", $0["hours"]?.double ?? -1) },
      uniquingKeysWith: { first, _ in first })
    #expect(hours == ["Trail": 4, "Summer": 2, "Tyre": 2, "Winter": 2])
    #expect(parts.first { $0["name"]?.string == "Summer" }?["mounted"]?.bool == false)
  }

  @Test func `a dry run of everything changes nothing`() async throws {
    let device = try TestDevice()
    try await device.run("bike", "add", "b1", "name=Trail")
    try await device.run("bike", "component", "add", "Chain", "--on", "b1")
    try await device.run(
      "bike", "add", "--collection", "interval", "bikeId=b1", "part=Chain", "intervalTime=5")
    let before = try await device.digest()
    let history = try await device.json("history", "list")
    for words in [
      ["bike", "defaults", "b1"], ["bike", "service", "Chain"],
      ["bike", "component", "remove", "Chain"], ["bike", "component", "add", "X", "--on", "b1"],
      ["bike", "ride", "add", "--bike", "b1", "--time", "1h"],
    ] {
      let outcome = try await device.run(words + ["--dry-run", "--json"])
      #expect(outcome.status == 0, "\(words): \(outcome.error)")
      #expect(outcome.document["plan"]?.array?.isEmpty == false, "\(words)")
      #expect(outcome.document["batch"] == .null)
    }
    #expect(try await device.digest() == before)
    #expect(try await device.json("history", "list") == history)
  }

  @Test(arguments: [
    (["bike", "service", "nothing"], 66), (["bike", "due", "--bike", "none"], 66),
    (["bike", "component", "remove", "none"], 66), (["bike", "defaults", "b1", "--part", "x"], 64),
    (["bike", "add", "b1", "kind=tricycle"], 65),
    (["bike", "add", "--collection", "interval", "bikeId=b1", "part=x"], 65),
    (["bike", "add", "--collection", "interval", "part=x", "intervalTime=1"], 65),
    (["bike", "ride", "add", "--bike", "none", "--time", "1h"], 66),
    (["bike", "ride", "import", "none.zip"], 66), (["bike", "strava", "pull"], 78),
  ])
  func `a command that cannot be done ends with its status`(
    words: [String], status: Int
  ) async throws {
    let device = try TestDevice()
    let outcome = try await device.run(words + ["--json"])
    #expect(outcome.status == status, "\(outcome.error)")
    #expect(outcome.failure["exit"]?.int == Int64(status))
  }
}

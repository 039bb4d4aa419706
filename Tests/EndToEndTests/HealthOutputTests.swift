import SyncKitFormats
import Testing

/// The output for people.
struct HealthOutputTests {
  private func device() async throws -> TestDevice {
    let device = try TestDevice()
    try await device.succeed("health", "subject", "add", "Anna Schmidt", "bloodType=A+")
    try await device.succeed(
      "health", "subject", "add", "Rex", "--pet", "petBreed=Beagle")
    try await device.succeed("health", "entry", "add", "Anna", "allergy", "Penicillin")
    try await device.succeed(
      "health", "entry", "add", "Rex", "vaccination", "Rabies", "--date", "2020-01-01",
      "nextDue=2021-01-01")
    return device
  }

  @Test func `lists show which records sync`() async throws {
    let device = try await device()
    for command in [["subject", "list"], ["list"], ["entry", "list", "Anna"]] {
      let outcome = try await device.run(["health"] + command)
      #expect(outcome.output.contains("local") && outcome.output.contains("scope"))
    }
  }

  @Test func `a summary is one private page, and a document for other programs`() async throws {
    let device = try await device()
    let (page, document) = (device.path("anna.html"), device.path("anna.json"))
    try await device.succeed("health", "summary", "Anna", "--html", page, "--fhir", document)
    #expect(Files.mode(page) == 0o600 && Files.mode(document) == 0o600)
    let text = try Files.text(page)
    #expect(text.contains("Penicillin") && !text.contains("<script"))
    #expect(try JSON(parsing: Files.read(document))["type"] == "document")
    #expect(Files.names(in: device.home).allSatisfy { !$0.hasSuffix(".tmp") })
  }

  @Test func `each due entry is listed with its day`() async throws {
    let device = try await device()
    let due = try await device.json("health", "due")["due"]?.array ?? []
    #expect(due.map { $0["title"] } == ["Rabies"])
    #expect(due.first?["overdue"] == true && due.first?["day"] == "2021-01-01")
  }

  @Test func `every document keeps its agreed keys`() async throws {
    let device = try await device()
    expectKeys(
      try await device.json("health", "subject", "list"), "cloudsync.health.subject.list/1",
      "subjects")
    expectKeys(
      try await device.json("health", "entry", "list", "Rex"), "cloudsync.health.entry.list/1",
      "records")
    expectKeys(try await device.json("health", "due"), "cloudsync.health.due/1", "due")
    expectKeys(
      try await device.json("health", "summary", "Rex"), "cloudsync.health.summary/1", "subject",
      "name", "scope", "facts", "sections")
  }

  @Test func `a chart shows its unit in the terminal and in a private picture`() async throws {
    let device = try await device()
    try await device.succeed("health", "entry", "add", "Anna", "weight", "72 kg", "--date", "2024")
    try await device.succeed("health", "entry", "add", "Anna", "weight", "71 kg", "--date", "2025")
    let chart = try await device.json("health", "chart", "Anna")
    expectKeys(chart, "cloudsync.health.chart/1", "subject", "title", "unit", "count", "text")
    #expect(chart["unit"] == "kg" && chart["count"] == 2)
    let picture = device.path("weight.svg")
    try await device.succeed("health", "chart", "Anna", "--svg", picture)
    #expect(Files.mode(picture) == 0o600)
    #expect(try Files.text(picture).contains("kg"))
    expectFailure(
      try await device.run("health", "chart", "Anna", "--of", "x", "--json"), 66,
      "record.not-found")
  }
}

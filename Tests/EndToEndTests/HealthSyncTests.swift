import SyncKitFormats
import Testing

/// Health records on two devices with a folder between them, through the real program.
struct HealthSyncTests {
  @Test func `two devices add to one person at the same time, and all of it survives`() async throws
  {
    let devices = try await TwoDevices()
    let (laptop, phone) = (devices.first, devices.second)
    try await laptop.succeed("health", "subject", "add", "Anna Schmidt")
    try await laptop.succeed("health", "entry", "add", "Anna", "allergy", "Penicillin")
    try await devices.sync()
    #expect(try await phone.subjects().isEmpty)

    try await laptop.succeed("health", "scope", "Anna", "synced")
    try await devices.sync()
    #expect(try await phone.subjects().map { $0["scope"] } == ["synced"])

    try await laptop.succeed("health", "entry", "add", "Anna", "blood", "120/80 mmHg")
    try await phone.succeed("health", "entry", "add", "Anna", "weight", "72.5 kg")
    try await laptop.succeed("health", "set", "Anna", "personalNickName=Änni")
    try await phone.succeed("health", "set", "Anna", "bloodType=A+")
    try await devices.sync()
    for device in [laptop, phone] {
      #expect(try await device.titles("Anna") == ["120/80 mmHg", "72.5 kg", "Penicillin"])
      let fields = try await device.json("health", "show", "Anna")["fields"]
      #expect(fields?["personalNickName"] == "Änni" && fields?["bloodType"] == "A+")
    }
    try await devices.expectQuiet()
  }

  @Test func `withdrawing a person removes them from the folder and the other device`() async throws
  {
    let devices = try await TwoDevices()
    let (laptop, phone) = (devices.first, devices.second)
    try await laptop.succeed("health", "subject", "add", "Anna", "personalAddress=CANARY-address")
    try await laptop.succeed("health", "entry", "add", "Anna", "illness", "CANARY-illness")
    try await laptop.succeed("health", "scope", "Anna", "synced")
    try await devices.sync()
    #expect(try await phone.titles("Anna") == ["CANARY-illness"])

    try await laptop.succeed("health", "scope", "Anna", "local")
    try await devices.sync()
    #expect(try await phone.subjects().isEmpty)
    #expect(try await laptop.titles("Anna") == ["CANARY-illness"])
    try await devices.expectNowhere(["CANARY-address", "CANARY-illness"])

    try await laptop.succeed("health", "scope", "Anna", "synced")
    try await devices.sync()
    #expect(try await phone.titles("Anna") == ["CANARY-illness"])
  }

  @Test func `no byte of a local record leaves`() async throws {
    let devices = try await TwoDevices()
    let laptop = devices.first
    let canaries = ["CANARYgiven", "CANARYaddress", "CANARYpressure", "CANARYdrug", "CANARYother"]
    try await laptop.succeed(
      "health", "subject", "add", "CANARYgiven", "personalAddress=CANARYaddress")
    try await laptop.succeed("health", "subject", "add", "Rex", "--pet")
    try await laptop.succeed("health", "entry", "add", "CANARYgiven", "blood", "CANARYpressure")
    let file = """
      {"exportVersion":1,"isPet":false,"personalinformation":{"personalGivenName":"CANARYgiven"},
       "drugs":[{"drugDate":"","drugName":"CANARYdrug","x":"CANARYother"}]}
      """
    try await laptop.succeed("health", "import", "-", input: file)
    let id = try await laptop.subjects().first { $0["kind"] == "person" }?["id"]?.string ?? ""
    try await laptop.succeed("health", "scope", "Rex", "synced")
    try await devices.sync()
    try await laptop.succeed("health", "set", "CANARYgiven", "personalAddress=CANARYaddress 2")
    try await laptop.succeed("health", "entry", "add", "Rex", "vaccination", "Rabies")
    try await devices.sync()
    #expect(try await devices.second.titles("Rex") == ["Rabies"])
    // The test itself must see data that did leave, compressed or not.
    #expect(try devices.sharedTexts().contains { $0.contains("Rabies") })
    try await devices.expectNowhere(canaries + [id])
  }
}

extension TestDevice {
  /// Runs a command that must succeed.
  func succeed(
    _ arguments: String..., input: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let outcome = try await run(arguments, input: input)
    try #require(
      outcome.status == 0, "\(arguments): \(outcome.error)", sourceLocation: sourceLocation)
  }

  /// People and pets, as they are listed.
  func subjects() async throws -> [JSON] {
    try await json("health", "subject", "list")["subjects"]?.array ?? []
  }

  /// The titles of a person's entries, sorted.
  func titles(_ subject: String) async throws -> [String] {
    let outcome = try await run("health", "entry", "list", subject, "--plain")
    try #require(outcome.status == 0, "\(outcome.error)")
    return outcome.lines.map { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
      return cells.count > 2 ? String(cells[2]) : line
    }.sorted()
  }
}

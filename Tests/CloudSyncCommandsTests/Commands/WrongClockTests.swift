import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// Two devices, one of which writes with a clock far ahead.
struct WrongClockTests {
  private static let day: Int64 = 86_400_000

  /// Both have set the colour without seeing the other's edit; the laptop's clock is ahead.
  private func disagreeing(
    ahead: Int64 = 400 * day
  ) async throws -> (laptop: TestMachine, phone: TestMachine) {
    let (laptop, phone) = (try TestMachine(), try TestMachine())
    laptop.clock.advance(by: ahead)
    for (machine, name) in [(laptop, "laptop"), (phone, "phone")] {
      machine.clock.advance(by: 1_750_000_000_000)
      let made = await machine.run(
        "init", "--yes", "--unencrypted", "--device", name, "--domains", "settings", "--remote",
        "folder=file:\(phone.home.path)/remote")
      #expect(made.status == 0, "\(made.error)")
    }
    try await sync(laptop, phone)
    for (machine, colour) in [(laptop, "red"), (phone, "blue")] {
      machine.clock.advance(by: 1_000)
      let put = await machine.run(
        "settings", "put", "colour", colour, "--namespace", "app")
      #expect(put.status == 0, "\(put.error)")
    }
    try await sync(laptop, phone)
    return (laptop, phone)
  }

  private func sync(_ laptop: TestMachine, _ phone: TestMachine) async throws {
    for machine in [laptop, phone, laptop] {
      let run = await machine.run("sync")
      #expect(run.status == 0, "\(run.error)")
    }
  }

  @Test func `the conflict that it decides needs a decision, and says why`() async throws {
    let (_, phone) = try await disagreeing()
    let conflict = try #require(await phone.run("conflicts", "--json").document["conflicts"]?[0])
    #expect(conflict["shown"]?["value"] == "red" && conflict["decision"] == "needed")
    #expect(conflict["byWrongClock"] == true)
    #expect(conflict["values"]?.array?.map { $0["ahead"] } == [true, false])
    #expect(await phone.run("conflicts").output.contains("needed (wrong clock)"))
    let id = try #require(conflict["id"]?.string)
    #expect(await phone.run("conflicts", "show", id).output.contains("(clock ahead)"))
    #expect(await phone.run("status", "--check").status == 4)
    let failing = await phone.run("sync", "--fail-on-conflict")
    #expect(failing.status == 4, "\(failing.error)")
    #expect(await phone.run("conflicts", "resolve", id, "--mine").status == 0)
    let sent = await phone.run("sync")
    #expect(sent.status == 0, "\(sent.error)")
    #expect(await phone.run("status", "--check").status == 0)
    let got = await phone.run("settings", "get", "colour", "--namespace", "app")
    #expect(got.output == "blue\n")
  }

  @Test func `doctor and status name the device, there and on itself once its clock is right`()
    async throws
  {
    let (laptop, phone) = try await disagreeing()
    let sentence = "has written times that are 400 days ahead of this device's clock"
    func clock(_ machine: TestMachine) async -> [String] {
      let checks = await machine.run("doctor", "--json").document["checks"]?.array ?? []
      return checks.filter { $0["check"] == "clock" && $0["outcome"] == "warning" }
        .compactMap { $0["message"]?.string }
    }
    #expect(await clock(phone) == ["laptop \(sentence)"])
    #expect(await clock(laptop) == [])
    let status = await phone.run("status")
    #expect(status.output.contains("laptop \(sentence)\n"))
    let devices = await phone.run("status", "--json").document["devices"]?.array ?? []
    let ahead = devices.filter { $0["clockAhead"] != .null }
    #expect(ahead.map { $0["name"] } == ["laptop"])
    #expect(ahead.first?["clockAhead"]?.int ?? 0 > 399 * 86_400)
    #expect(await phone.run("history", "list").output.contains("(clock ahead)"))
    let conflict = try #require(await phone.run("conflicts", "--json").document["conflicts"]?[0])
    let record = try #require(conflict["record"]?.string)
    #expect(await phone.run("settings", "show", record).output.contains("(clock ahead)"))
    laptop.clock.advance(by: -400 * Self.day)
    #expect(await clock(laptop) == ["this device \(sentence)"])
  }

  @Test func `a clock that is four minutes ahead does not matter`() async throws {
    let (_, phone) = try await disagreeing(ahead: 240_000)
    let conflict = try #require(await phone.run("conflicts", "--json").document["conflicts"]?[0])
    #expect(conflict["shown"]?["value"] == "red" && conflict["decision"] == "settled")
    let checks = await phone.run("doctor", "--json").document["checks"]?.array ?? []
    #expect(checks.first { $0["check"] == "clock" }?["outcome"] == "ok")
  }
}

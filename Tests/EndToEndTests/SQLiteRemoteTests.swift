import SyncKitFormats
import SQLiteFile
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Several set-up devices of one machine that share a SQLite file.
private struct Household {
  let devices: [TestDevice]
  let base: TestDevice
  var file: String { base.path("family.sqlite") }

  init(_ count: Int, domains: String = "airports") async throws {
    base = try TestDevice()
    devices = try (0..<count).map { [base] in try TestDevice(in: base.home, name: "home\($0)") }
    for (number, device) in devices.enumerated() {
      let outcome = try await device.run(
        "init", "--yes", "--unencrypted", "--device", "d\(number)", "--domains", domains,
        "--remote",
        "family=sqlite:\(file)")
      try #require(outcome.status == 0, "\(outcome.error)")
    }
  }

  /// Syncs every device twice, so that each has the changes of all.
  func sync() async throws {
    for device in devices + devices {
      let outcome = try await device.run("sync")
      try #require(outcome.status == 0, "\(outcome.error)")
    }
  }

  /// The data of all devices, which must be the same.
  func codes() async throws -> [String: String] {
    let first = try await devices[0].codes()
    let digest = try await devices[0].digest()
    for device in devices.dropFirst() {
      let other = try await device.codes()
      #expect(other == first, "\(other) and \(first)")
      #expect(try await device.digest() == digest)
    }
    return first
  }
}

/// A pair of codes for a number: two letters after one that starts no city's code.
private func pair(_ number: Int) -> (iata: String, icao: String) {
  let letters = Array("ABCDEFGHKLMNOPRSTUVWXYZ")
  let (first, second) = (
    letters[number / letters.count % letters.count], letters[number % letters.count]
  )
  return ("X\(first)\(second)", "KX\(first)\(second)")
}

@Test func `three homes share one file`() async throws {
  let household = try await Household(3)
  for (number, device) in household.devices.enumerated() {
    try await device.run("airports", "add", pair(number).iata, pair(number).icao)
  }
  try await household.sync()
  let expected = Dictionary(
    uniqueKeysWithValues: (0..<3).map { pair($0) }.map { ($0.iata, $0.icao) })
  #expect(try await household.codes() == expected)
  // Edits of the same field at once, and a deletion.
  try await household.devices[0].run("airports", "add", pair(0).iata, "KAAA")
  try await household.devices[1].run("airports", "add", pair(0).iata, "KBBB")
  try await household.devices[2].run("airports", "rm", pair(1).iata)
  try await household.sync()
  let codes = try await household.codes()
  #expect(codes[pair(1).iata] == nil)
  #expect(["KAAA", "KBBB"].contains(codes[pair(0).iata] ?? ""))
  // And without changes no device writes.
  let before = try Files.read(household.file)
  for device in household.devices {
    let job = try await device.json("sync")["jobs"]?[0]
    #expect(job?["pushed"]?.int == 0 && job?["pulled"]?.int == 0)
  }
  #expect(try Files.read(household.file) == before, "the file has changed")
}

@Test func `sixteen processes that write at once lose nothing`() async throws {
  let household = try await Household(16)
  let rounds = 3
  try await withThrowingTaskGroup(of: Void.self) { group in
    for (number, device) in household.devices.enumerated() {
      group.addTask {
        for round in 0..<rounds {
          let new = pair(number * rounds + round)
          let added = try await device.run("airports", "add", new.iata, new.icao)
          #expect(added.status == 0, "\(added.error)")
          let synced = try await device.run("sync")
          #expect(synced.status == 0, "\(synced.error)")
        }
      }
    }
    try await group.waitForAll()
  }
  try await household.sync()
  #expect(try await household.codes().count == 16 * rounds)
}

@Test func `a device that is killed during a sync loses nothing and breaks nothing`() async throws {
  let household = try await Household(2)
  let (first, second) = (household.devices[0], household.devices[1])
  for number in 0..<12 {
    let new = pair(number)
    try await first.run("airports", "add", new.iata, new.icao)
    // Each time a little later: before, in and after the transaction.
    try await first.runAndKill(["sync"], after: .milliseconds(40 * number))
    try await second.run("airports", "add", pair(100 + number).iata, pair(100 + number).icao)
    let outcome = try await second.run("sync")
    #expect(outcome.status == 0, "\(outcome.error)")
  }
  try await household.sync()
  #expect(try await household.codes().count == 24)
}

@Test func `a restored copy of the file is filled again`() async throws {
  let household = try await Household(3)
  let (first, second) = (household.devices[0], household.devices[1])
  try await first.run("airports", "add", "WAA", "KWAA")
  try await household.sync()
  let copy = try Files.read(household.file)
  try await first.run("airports", "add", "WBB", "KWBB")
  try await first.run("sync")
  // Only the first device has the newest edit, and believes that the file has it.
  try Files.write(copy, to: household.file)
  try await second.run("airports", "add", "WCC", "KWCC")
  try await second.run("sync")
  try await household.sync()
  #expect(try await household.codes() == ["WAA": "KWAA", "WBB": "KWBB", "WCC": "KWCC"])
}

@Test func `a machine with two remotes bridges a folder and a file`() async throws {
  let household = try await Household(2)
  let box = household.devices[0]
  let traveller = try TestDevice(in: household.base.home, name: "traveller")
  let folder = "folder=file:\(household.base.path("cloud"))"
  try await traveller.must(
    "init", "--yes", "--unencrypted", "--domains", "airports", "--remote", folder)
  try await traveller.run("airports", "add", "WAA", "KWAA")
  try await traveller.run("sync")
  let url = String(folder.dropFirst("folder=".count))
  // The folder now has its own vault, and both are ours.
  try await box.must("remote", "add", "--unencrypted", "folder", url, "--adopt")
  try await household.devices[1].run("airports", "add", "WBB", "KWBB")
  for device in [household.devices[1], box, traveller, household.devices[1]] {
    let outcome = try await device.run("sync")
    #expect(outcome.status == 0, "\(outcome.error)")
  }
  let expected = ["WAA": "KWAA", "WBB": "KWBB"]
  for device in household.devices + [traveller] { #expect(try await device.codes() == expected) }
}

@Test func `a file that other processes keep busy ends with 75, and nothing is lost`() async throws
{
  let household = try await Household(2)
  try await household.devices[0].run("airports", "add", "WAA", "KWAA")
  let other = try Connection(household.file)
  try other.run("BEGIN IMMEDIATE")
  let outcome = try await household.devices[0].run("sync", "--json")
  #expect(outcome.status == 75, "\(outcome.error)")
  #expect(outcome.document["jobs"]?[0]?["error"]?["code"]?.string == "remote.busy")
  try other.run("ROLLBACK")
  other.close()
  try await household.sync()
  #expect(try await household.codes() == ["WAA": "KWAA"])
}

@Test func `each possible fault of the file has its status`() async throws {
  let household = try await Household(1)
  let device = household.devices[0]
  let sound = try Files.read(household.file)
  unlink(household.file)
  #expect(try await device.run("sync").status == 69)
  #expect(Files.names(in: household.base.home).contains("family.sqlite") == false)
  try Files.write([], to: household.file)
  #expect(try await device.run("sync").status == 77)
  try Files.write(Array("something else".utf8), to: household.file)
  #expect(try await device.run("sync").status == 77)
  #expect(try Files.text(household.file) == "something else")
  var damaged = sound
  for index in damaged.indices.dropFirst(100).prefix(4_000) { damaged[index] = 0xA5 }
  try Files.write(damaged, to: household.file)
  #expect(try await device.run("sync").status == 76)
  try Files.write(sound, to: household.file)
  #expect(try await device.run("sync").status == 0)
  // A file that is lost for good is filled again on request.
  try await device.run("airports", "add", "WAA", "KWAA")
  unlink(household.file)
  let url = "sqlite:\(household.file)"
  try await device.must("remote", "add", "--unencrypted", "family", url, "--reinit")
  try await device.run("sync")
  let second = try TestDevice(in: household.base.home, name: "second")
  try await second.must(
    "init", "--yes", "--unencrypted", "--domains", "airports", "--remote", "family=\(url)")
  try await second.run("sync")
  #expect(try await second.codes() == ["WAA": "KWAA"])
}

@Test func `a file in a cloud drive's folder is refused at once, and nothing is set up`()
  async throws
{
  let device = try TestDevice()
  try Files.makeFolder(device.path("Nextcloud"))
  let outcome = try await device.run(
    "init", "--yes", "--unencrypted", "--remote",
    "shared=sqlite:\(device.path("Nextcloud/x.sqlite"))", "--json")
  expectFailure(outcome, 78, "remote.unsuitable")
  #expect(outcome.failure["hint"]?.string?.contains("file:") == true)
  #expect(Files.names(in: device.path("Nextcloud")) == [])
}

@Test func `the guide to sharing a file does what it says`() async throws {
  try await GuideRunner("sharing-a-file").check()
}

extension TestDevice {
  /// Runs a command that must succeed.
  fileprivate func must(_ arguments: String...) async throws {
    let outcome = try await run(arguments)
    try #require(outcome.status == 0, "\(arguments): \(outcome.error)")
  }

  /// Runs the program and kills it after a while, unless it has ended before.
  fileprivate func runAndKill(_ arguments: [String], after time: Duration) async throws {
    let seconds = Double(time.components.attoseconds) / 1e18
    let script = "\"$0\" \"$@\" & child=$!; sleep \(seconds); kill -9 $child; wait $child"
    _ = try await CommandRunner.run(
      ["-c", script, CommandRunner.program] + arguments, program: "/bin/bash",
      environment: ["HOME": home, "PATH": "/usr/bin:/bin", "TMPDIR": home], folder: home)
  }
}

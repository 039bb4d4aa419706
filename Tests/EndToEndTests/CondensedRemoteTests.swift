import Formats
import Testing

/// Places that are written to all the time, with the real program and its usual limits.
struct CondensedRemoteTests {
  enum Place: CaseIterable {
    case folder, file, server
  }

  private static let keys = 120

  /// What an import sets all settings to.
  private static func table(_ round: Int) -> String {
    (0..<keys).reduce(into: "collection,id,parent,type,value\nnamespace,app,,,\n") { table, key in
      table += "setting,key\(key),namespace/app,int,\(round * 1_000 + key)\n"
    }
  }

  private func join(_ devices: [TestDevice], _ place: Place, _ base: TestDevice) async throws {
    let path = base.path("place")
    for (number, device) in devices.enumerated() {
      let outcome = try await device.run(
        "init", "--yes", "--device", "d\(number)", "--domains", "settings", "--remote",
        "home=\(place == .file ? "sqlite:\(path).sqlite" : "file:\(path)")")
      try #require(outcome.status == 0, "\(outcome.error)")
    }
  }

  private func sync(_ devices: TestDevice...) async throws {
    for device in devices {
      let outcome = try await device.run("sync", "--domain", "settings")
      try #require(outcome.status == 0, "\(outcome.error)")
    }
  }

  @Test(arguments: Place.allCases)
  func `a place holds about the live data, and a new device begins with it`(
    _ place: Place
  ) async throws {
    let base = try TestDevice()
    let host = place == .server ? try await ServerHost() : nil
    var devices: [TestDevice] = []
    if let host {
      devices = [try await host.device(of: "anna")]
      for name in ["second", "late"] {
        devices.append(try await host.device(beside: devices[0], name))
      }
    } else {
      devices = try (0..<3).map { try TestDevice(in: base.home, name: "home\($0)") }
      try await join(devices, place, base)
    }
    let (first, second, late) = (devices[0], devices[1], devices[2])
    for round in 0..<40 {
      try Files.write(Array(Self.table(round).utf8), to: first.path("table.csv"))
      let outcome = try await first.run("settings", "import", first.path("table.csv"))
      try #require(outcome.status == 0, "\(outcome.error)")
      try await sync(first)
      if round.isMultiple(of: 4) { try await sync(second) }
    }
    try await sync(second, first, late)
    let wanted = try await first.json("settings", "list")["records"]?.array?.count
    #expect(wanted == Self.keys)
    for device in [second, late] {
      let values = try await device.json("settings", "list")["records"]?.array?
        .compactMap { $0["fields"]?["value"]?.int }
      #expect(values?.allSatisfy { $0 / 1_000 == 39 } == true)
      #expect(values?.count == Self.keys)
    }
    let seen = try await late.json("history", "list")["batches"]?.array?.count ?? .max
    #expect(seen < 30, "the new device has read \(seen) of 40 batches one by one")
    let report = try await first.json("compact", "--domain", "settings", "--dry-run")
    let files = report["jobs"]?[0]?["files"]?.int ?? .max
    #expect(files < 30, "\(files) segments are there")
    let verified = try await late.run("verify", "--remotes", "--domain", "settings")
    #expect(verified.status == 0, "\(verified.error)\(verified.output)")
    if let host { #expect(try await host.process.stop() == 0) }
  }
}

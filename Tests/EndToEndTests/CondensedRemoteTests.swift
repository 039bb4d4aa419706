import SyncKitFormats
import Testing

/// Remotes that are written to all the time, with the real program and its usual limits.
struct CondensedRemoteTests {
  enum Place: CaseIterable {
    case folder, file, server
  }

  private static let keys = 120

  /// The value of all settings in an import: a number of letters each that cannot be compressed.
  private static func table(_ round: Int, letters: Int) -> String {
    var state = UInt64(round + 1)
    func noise() -> String {
      String(
        decoding: (0..<letters).map { _ in
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          return Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_".utf8)[
            Int(state >> 58)]
        }, as: UTF8.self)
    }
    return (0..<keys).reduce(into: "collection,id,parent,type,value\nnamespace,app,,,\n") {
      table, key in
      table += "setting,key\(key),namespace/app,string,\(round) \(noise())\n"
    }
  }

  private func batches(_ device: TestDevice) async throws -> [String] {
    let history = try await device.json("history", "list", "--domain", "settings", "--limit", "0")
    return history["batches"]?.array?.compactMap { $0["id"]?.string }.sorted() ?? []
  }

  private func since(_ device: TestDevice) async throws -> JSON? {
    try await device.json("history", "list", "--domain", "settings")["since"]
  }

  private func join(_ devices: [TestDevice], _ place: Place, _ base: TestDevice) async throws {
    let path = base.path("place")
    for (number, device) in devices.enumerated() {
      let outcome = try await device.run(
        "init", "--yes", "--unencrypted", "--device", "d\(number)", "--domains", "settings",
        "--remote",
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

  private func write(
    _ rounds: Range<Int>, letters: Int, _ first: TestDevice, _ second: TestDevice
  )
    async throws
  {
    for round in rounds {
      let table = Self.table(round, letters: letters)
      try Files.write(Array(table.utf8), to: first.path("table.csv"))
      let outcome = try await first.run("settings", "import", first.path("table.csv"))
      try #require(outcome.status == 0, "\(outcome.error)")
      try await sync(first)
      if round.isMultiple(of: 4) { try await sync(second) }
    }
  }

  private func devices(
    _ place: Place, _ host: ServerHost?, _ base: TestDevice
  ) async throws -> [TestDevice] {
    let names = ["first", "second", "away", "late"]
    guard let host else {
      let devices = try names.map { try TestDevice(in: base.home, name: $0) }
      try await join(devices, place, base)
      return devices
    }
    let first = try await host.device(of: "anna")
    var devices = [first]
    for name in names.dropFirst() { devices.append(try await host.device(beside: first, name)) }
    return devices
  }

  @Test(arguments: Place.allCases)
  func `a remote holds the live data and as much history as fits`(
    _ place: Place
  ) async throws {
    let base = try TestDevice()
    let host = place == .server ? try await ServerHost() : nil
    let devices = try await devices(place, host, base)
    let (first, second, away, late) = (devices[0], devices[1], devices[2], devices[3])
    // About three megabytes; the last round is the live data.
    try await write(0..<34, letters: 800, first, second)
    let early = try await batches(first)
    try await sync(away)
    try await write(34..<40, letters: 800, first, second)
    try await sync(second, first, late)
    #expect(try await first.json("settings", "list")["records"]?.array?.count == Self.keys)
    for device in [second, away, late] {
      try await sync(device)
      let values = try await device.json("settings", "list")["records"]?.array?
        .compactMap { $0["fields"]?["value"]?.string }
      #expect(values?.allSatisfy { $0.hasPrefix("39 ") } == true)
      #expect(values?.count == Self.keys)
    }
    // A device that was in step has every batch, and another one says from when on it has them.
    let all = try await batches(first)
    #expect(try await batches(second) == all)
    let missed = try await Set(all).subtracting(early).subtracting(batches(away))
    #expect(missed.isEmpty && all.count == early.count + 6)
    #expect(try await since(second) == .null)
    #expect(try await since(late) != .null)
    #expect(try await batches(late).count < all.count)
    let report = try await first.json("compact", "--domain", "settings", "--dry-run")
    let files = report["jobs"]?[0]?["files"]?.int ?? .max
    let bytes = report["jobs"]?[0]?["bytes"]?.int ?? .max
    #expect(files < 40, "\(files) segments are there")
    #expect((500_000..<1_600_000).contains(bytes), "\(bytes) bytes are there")
    let verified = try await late.run("verify", "--remotes", "--domain", "settings")
    #expect(verified.status == 0, "\(verified.error)\(verified.output)")
    if let host { #expect(try await host.process.stop() == 0) }
  }

  @Test
  func `a device that was off briefly, and a new one in the first month, has the whole history`()
    async throws
  {
    let base = try TestDevice()
    let devices = try await devices(.folder, nil, base)
    let (first, second, away, late) = (devices[0], devices[1], devices[2], devices[3])
    try await write(0..<1, letters: 8, first, second)
    try await sync(away)
    try await write(1..<20, letters: 8, first, second)
    try await sync(second, first, second)
    let all = try await batches(first)
    for device in [away, late] {
      try await sync(device)
      #expect(try await batches(device) == all)
      #expect(try await since(device) == .null)
    }
    // Edits made meanwhile can be undone there as anywhere.
    let last = try #require(
      try await away.json("history", "list", "--domain", "settings")["batches"]?.array?.first?[
        "id"]?
        .string)
    let undone = try await away.run("undo", last)
    #expect(undone.status == 0, "\(undone.error)")
    try await sync(away, first)
    let values = try await first.json("settings", "list")["records"]?.array?
      .compactMap { $0["fields"]?["value"]?.string }
    #expect(values?.allSatisfy { $0.hasPrefix("18 ") } == true)
  }
}

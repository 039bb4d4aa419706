import SyncKitFormats
import Testing

@Test(arguments: ["file", "sqlite"])
func `a full remote refuses with 73, the data here stays, and sync continues once there is space`(
  scheme: String
) async throws {
  let base = try TestDevice()
  let place = base.path("shared")
  let devices = try ["laptop", "phone"].map { try TestDevice(in: base.home, name: $0) }
  for (device, quota) in zip(devices, ["quota: { bytes: 1MiB, keys: 3 }", ""]) {
    try Files.write(
      Array(
        """
        version: 1
        remotes:
          r: { type: \(scheme), path: \(place), encrypted: false\(quota.isEmpty ? "" : ", \(quota)") }
        domains:
          airports: { remote: r }
          settings: { remote: r }
          health: { enabled: false }
          media: { enabled: false }
          bike: { enabled: false }

        """.utf8), to: device.path("config.yaml"))
  }
  func run(_ index: Int, _ arguments: String...) async throws -> CommandRunner.Outcome {
    let device = devices[index]
    return try await device.run(arguments + ["--config", device.path("config.yaml")])
  }
  #expect(try await run(0, "remote", "add", "--unencrypted", "r", "\(scheme):\(place)").status == 0)
  var statuses: [Int32] = []
  for code in ["AAB", "AAC", "AAD", "AAE"] {
    _ = try await run(0, "airports", "add", code, "K\(code)")
    statuses.append(try await run(0, "sync").status)
  }
  #expect(statuses.first == 0 && statuses.last == 73, "\(statuses)")
  expectFailure(try await run(0, "sync", "--json"), 73, "remote.quota")
  let status = try await run(0, "status", "--json").document["domains"]?[0]
  #expect(status?["records"]?.int == 4)
  #expect((status?["pending"]?.int ?? 0) > 0)
  #expect(status?["remotes"]?[0]?["error"]?["code"]?.string == "remote.quota")

  #expect(try await run(0, "config", "set", "remotes.r.quota.keys", "100").status == 0)
  #expect(try await run(0, "sync").status == 0)
  #expect(try await run(1, "sync").status == 0)
  let codes = try await run(1, "airports", "list", "--json").document["records"]?.array ?? []
  #expect(codes.compactMap { $0["id"]?.string } == ["AAB", "AAC", "AAD", "AAE"])
}

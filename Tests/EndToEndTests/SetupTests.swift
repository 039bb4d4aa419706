import Formats
import Testing

@Test func `a device can be set up without a remote, and given one later`() async throws {
  let device = try TestDevice()
  #expect(try await device.run("init", "--yes", "--domains", "airports,bike").status == 0)
  #expect(try await device.run("init", "--yes", "--domains", "airports,bike").status == 0)
  let document = try await device.json("config", "validate")
  #expect(document["valid"]?.bool == true)
  _ = try await device.json("airports", "add", "ZRH", "LSZH")
  #expect(try await device.run("sync").status == 0)
  _ = try await device.json("remote", "add", "folder", "file:\(device.path("shared"))")
  let jobs = try await device.json("sync")["jobs"]?.array ?? []
  #expect(jobs.compactMap { $0["domain"]?.string } == ["airports", "bike"])
  #expect(jobs.first?["pushed"]?.int == 1)
}

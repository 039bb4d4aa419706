import SyncKitFormats
import Testing

/// The demonstration.
struct RecordsDemoTests {
  @Test func `it converges, always to the same data, and leaves nothing`() async throws {
    let device = try TestDevice()
    let first = try await device.json("demo")
    expectKeys(first, "cloudsync.demo/1", "steps", "converged", "records", "digests")
    #expect(first["converged"]?.bool == true)
    #expect((first["records"]?.int ?? 0) > 7_000)
    #expect(first["digests"]?[0] == first["digests"]?[1])
    let second = try await device.json("demo")
    #expect(second["digests"] == first["digests"])
    #expect(Files.names(in: device.home).isEmpty)
  }

  @Test func `it tells its story to people, and can be kept`() async throws {
    let device = try TestDevice()
    let outcome = try await device.run("demo", "--keep")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("$ cloudsync airports rm TXL"))
    #expect(!outcome.output.contains("\u{1B}"))
    let kept = Files.names(in: device.home)
    #expect(kept.count == 1)
    #expect(Files.names(in: device.path(kept.first ?? "")) == ["laptop", "phone", "shared"])
  }
}

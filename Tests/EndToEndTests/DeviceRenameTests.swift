import SyncKitFormats
import LoopbackServer
import Testing

/// A device is renamed while another process changes the configuration.
struct DeviceRenameTests {
  @Test func `edits written during a request to a server are kept`() async throws {
    let device = try TestDevice()
    let config = device.path(".config/cloudsync/config.yaml")
    let service = try LoopbackServer { _, _ in
      // A person with an editor.
      let text = (try? Files.text(config)) ?? ""
      try? Files.write(Array("\(text)defaults: { poll: 5s }\n".utf8), to: config)
      return .http(204, ["Cloudsync-Protocol": "1"])
    }
    let made = try await device.run("init", "--yes", "--unencrypted", "--device", "laptop")
    #expect(made.status == 0, "\(made.error)")
    let text = """
      version: 1
      device: { name: laptop }
      remotes:
        home: { type: http, url: "\(service.url)" }

      """
    try Files.write(Array(text.utf8), to: config)
    let renamed = try await device.run("device", "rename", "phone")
    #expect(renamed.status == 0, "\(renamed.error)")
    #expect(service.requests.count == 1)
    #expect(try await device.run("config", "get", "device.name").output == "phone\n")
    #expect(try await device.run("config", "get", "defaults.poll").output == "5s\n")
  }
}

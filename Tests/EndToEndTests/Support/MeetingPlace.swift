import RealPlaces
import SyncKitFormats
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Devices that meet at a real service, with the real program.
struct MeetingPlace {
  /// Holds the homes of the devices.
  let base: TestDevice
  let laptop: TestDevice
  let phone: TestDevice

  init() throws {
    base = try TestDevice()
    laptop = try TestDevice(in: base.home, name: "laptop")
    phone = try TestDevice(in: base.home, name: "phone")
  }

  /// A file with a secret, which nobody else can read.
  func secretFile(_ text: String) throws -> String {
    let path = base.path("secret-\(text.utf8.count)")
    try Files.write(Array("\(text)\n".utf8), to: path)
    chmod(path, 0o600)
    return path
  }

  /// Sets up two devices on a new remote, and sends changes to and fro.
  ///
  /// - Parameters:
  ///   - url: The remote, as a person types it.
  ///   - options: What else has to be said.
  ///   - folder: What the service keeps, where it can be seen.
  ///   - secret: What the configuration must not show.
  /// - Throws: What ends the test.
  func twoDevicesMeet(
    at url: String, _ options: [String] = [], in folder: String? = nil, secret: String? = nil
  ) async throws {
    func initialise(_ device: TestDevice, _ name: String, _ more: [String] = []) async throws {
      _ = try await device.json(
        ["init", "--yes", "--device", name, "--remote", "cloud=\(url)"] + options + more)
    }
    try await initialise(laptop, "laptop")
    let pairing = try await laptop.json("device", "pair")
    try await initialise(phone, "phone", ["--code", pairing["key"]?.string ?? ""])
    try await laptop.run("airports", "add", "QQX", "EQXX")
    try await TestDevice.sync(laptop, phone)
    #expect(try await phone.codes() == ["QQX": "EQXX"])
    try await phone.run("airports", "add", "QQY", "EQYY")
    try await phone.run("airports", "rm", "QQX")
    try await laptop.run("airports", "add", "QQZ", "EQZZ")
    try await TestDevice.sync(phone, laptop)
    try await TestDevice.sync(phone)
    #expect(try await laptop.codes() == ["QQY": "EQYY", "QQZ": "EQZZ"])
    #expect(try await laptop.digest() == phone.digest())
    let trial = try await phone.json("remote", "test", "cloud")
    #expect(trial["reachable"] == true && trial["writable"] == true)
    if let folder {
      // Encrypted without being asked to be, and nothing unfinished is left.
      let kept = try #require(ServedFolder(folder))
      #expect(!kept.files.isEmpty)
      for name in kept.files {
        #expect(!name.contains(".tmp-") && !name.contains("airports"), "\(name)")
        let content = String(decoding: kept.read(name) ?? [], as: UTF8.self)
        #expect(!content.contains("EQYY"), "\(name)")
      }
    }
    if let secret {
      let configuration = try Files.text(laptop.path(".config/cloudsync/config.yaml"))
      #expect(!configuration.contains(secret))
    }
  }
}

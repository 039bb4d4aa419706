import SyncKitFormats
import Testing

/// Two machines from one disk image: files, inode numbers and times are the same on both.
struct ClonedMachineTests {
  /// A device's files on a disk image, to write back as another boot would find them.
  private struct Image {
    private var files: [String: [UInt8]] = [:]

    init(of device: TestDevice) throws {
      let folder = device.path(".local/share/cloudsync")
      for name in Files.names(in: folder)
      where name == "device" || name.hasSuffix(".sqlite") || name.hasSuffix(".identity") {
        files["\(folder)/\(name)"] = try Files.read("\(folder)/\(name)")
      }
    }

    /// In place, so that each file keeps its inode; the file of the device's id may have been replaced,
    /// so it keeps its fingerprint.
    func boot() throws {
      for (path, bytes) in files {
        var bytes = bytes
        if path.hasSuffix("/device") {
          let id = String(decoding: bytes, as: UTF8.self).split(separator: " ")[0]
          let own = try Files.text(path).split(separator: " ")[1]
          bytes = Array("\(id) \(own)".utf8)
        }
        try Files.write(bytes, to: path)
      }
    }
  }

  @Test func `a clone is reported on standard error, and is listed as a separate device`()
    async throws
  {
    let devices = try await TwoDevices()
    let (machine, phone) = (devices.first, devices.second)
    try await machine.run("airports", "add", "JFK", "KJFK")
    try await machine.run("bike", "add", "b1", "name=Trail")
    try await devices.sync()
    let template = try Image(of: machine)

    try await machine.run("airports", "add", "ZRH", "LSZH")
    #expect(try await machine.run("sync").error.isEmpty)
    let original = try Image(of: machine)

    try template.boot()
    try await machine.run("airports", "add", "HEL", "EFHK")
    // Without a terminal, too.
    let met = try await machine.run("sync")
    #expect(met.status == 0, "\(met.error)")
    #expect(met.error.split(separator: "\n").count == 1, "\(met.error)")
    #expect(met.error.contains("Another machine writes under this device's id"))
    #expect(met.output.isEmpty)
    #expect(try await machine.run("sync").error.isEmpty)
    let clone = try Image(of: machine)

    try await phone.run("sync")
    for image in [original, clone] {
      try image.boot()
      #expect(try await machine.run("sync", "--quiet").error.isEmpty)
      let listed = try await machine.json("device", "list")["devices"]?.array ?? []
      #expect(listed.count { $0["name"] == "laptop" } == 2, "\(listed)")
      #expect(listed.count { $0["self"] == true } == 1)
      let status = try await machine.json("status")["devices"]?.array ?? []
      #expect(status.count { $0["name"] == "laptop" } == 2)
    }
    let seen = try await phone.json("device", "list")["devices"]?.array ?? []
    #expect(seen.count { $0["name"] == "laptop" } == 2, "\(seen)")
    let all = ["JFK": "KJFK", "ZRH": "LSZH", "HEL": "EFHK"]
    #expect(try await phone.codes() == all)
    #expect(try await machine.codes() == all)
  }

  @Test func `quiet runs do not report a clone, but documents do`() async throws {
    let devices = try await TwoDevices()
    let machine = devices.first
    try await machine.run("airports", "add", "JFK", "KJFK")
    try await devices.sync()
    let template = try Image(of: machine)
    for quiet in [true, false] {
      try template.boot()
      try await machine.run("airports", "add", "ZRH", "LSZH")
      try await machine.run("sync", "--quiet")
      try template.boot()
      try await machine.run("airports", "add", "HEL", "EFHK")
      if quiet {
        #expect(try await machine.run("sync", "--quiet").error.isEmpty)
      } else {
        let run = try await machine.json("sync")
        let notes = (run["jobs"]?.array ?? []).flatMap { $0["notes"]?.array ?? [] }
        #expect(notes.contains { $0.string?.hasPrefix("Another machine") == true }, "\(run)")
      }
    }
  }
}

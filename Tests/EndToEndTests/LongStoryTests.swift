import SyncKitFormats
import Testing

/// Four homes of one person with two folders, of which one home sees both and relays; in fast motion, since
/// a test cannot move the clock of a real machine.
private struct FourHomes {
  let base: TestDevice
  let desktop: TestDevice
  let laptop: TestDevice
  let tablet: TestDevice
  let phone: TestDevice
  /// The last acknowledged value of each code.
  private(set) var written: [String: String] = [:]
  private var number = 0

  init() async throws {
    base = try TestDevice()
    desktop = try TestDevice(in: base.home, name: "desktop")
    laptop = try TestDevice(in: base.home, name: "laptop")
    tablet = try TestDevice(in: base.home, name: "tablet")
    phone = try TestDevice(in: base.home, name: "phone")
    let cloud = "cloud=file:\(base.path("cloud"))"
    let disk = "disk=file:\(base.path("disk"))"
    let plan = [
      (desktop, "desktop", ["--remote", cloud, "--remote", disk]),
      (laptop, "laptop", ["--remote", cloud]), (tablet, "tablet", ["--remote", disk]),
      (phone, "phone", ["--remote", disk]),
    ]
    for (device, name, remotes) in plan {
      try await Self.must(device, ["init", "--yes", "--unencrypted", "--device", name] + remotes)
      try await Self.must(device, ["airports", "sync"])
    }
  }

  static func must(_ device: TestDevice, _ arguments: [String]) async throws {
    let outcome = try await device.run(arguments)
    try #require(outcome.status == 0, "\(arguments): \(outcome.status) \(outcome.error)")
  }

  /// A device corrects one of its own three codes, and now and then removes a new one.
  mutating func use(_ device: TestDevice, _ letter: String) async throws {
    number += 1
    let code = "\(letter)A\(["X", "Y", "Z"][number % 3])"
    let last = [number / 26 % 26, number % 26].map { String(UnicodeScalar(UInt8(65 + $0))) }
    let icao = "K\(letter)\(last.joined())"
    try await Self.must(device, ["airports", "add", code, icao])
    written[code] = icao
    guard number.isMultiple(of: 7) else { return }
    try await Self.must(device, ["airports", "add", "\(letter)BB", "KBBB"])
    try await Self.must(device, ["airports", "rm", "\(letter)BB"])
  }

  mutating func live(_ days: Int, _ devices: [(TestDevice, String)]) async throws {
    for day in 0..<days {
      for (index, (device, letter)) in devices.enumerated() {
        try await use(device, letter)
        if (day + index) % 3 != 0 { try await Self.must(device, ["airports", "sync"]) }
      }
    }
  }

  func settle(_ devices: TestDevice...) async throws {
    for _ in 0..<3 { for device in devices { try await Self.must(device, ["airports", "sync"]) } }
  }
}

@Test
func `a month of four homes over two folders, one lost, one restored, one away, loses nothing`()
  async throws
{
  var homes = try await FourHomes()
  let everybody = [
    (homes.desktop, "D"), (homes.laptop, "L"), (homes.tablet, "T"), (homes.phone, "P"),
  ]
  try await homes.live(4, everybody)
  let backup = homes.laptop.path("backup.zip")
  try await FourHomes.must(homes.laptop, ["backup", "create", "--unencrypted", backup])
  try await homes.live(4, everybody)
  try await homes.settle(homes.laptop)
  try await FourHomes.must(homes.laptop, ["backup", "restore", backup, "--yes"])
  try await homes.live(3, everybody)

  // The tablet is lost with its home; the phone writes where there is no network.
  try await homes.settle(homes.tablet)
  Files.remove(homes.tablet.home)
  try await homes.settle(homes.phone)
  try await homes.use(homes.phone, "P")
  try await homes.live(20, [(homes.desktop, "D"), (homes.laptop, "L")])
  try await homes.use(homes.phone, "P")
  try await homes.settle(homes.phone, homes.desktop, homes.laptop)

  let codes = try await homes.desktop.codes()
  #expect(codes == homes.written)
  let digest = try await homes.desktop.digest()
  for device in [homes.laptop, homes.phone] {
    #expect(try await device.codes() == codes)
    #expect(try await device.digest() == digest)
  }
  // A new device gets everything from either folder, and neither has grown without bound.
  for folder in ["cloud", "disk"] {
    let late = try TestDevice(in: homes.base.home, name: "late-\(folder)")
    let place = homes.base.path(folder)
    try await FourHomes.must(
      late, ["init", "--yes", "--unencrypted", "--device", "late", "--remote", "r=file:\(place)"])
    try await FourHomes.must(late, ["airports", "sync"])
    #expect(try await late.codes() == codes)
    let jobs = try await late.json("compact", "--dry-run")["jobs"]?.array ?? []
    let airports = try #require(jobs.first { $0["domain"]?.string == "airports" })
    #expect(try #require(airports["bytes"]?.int) < 100_000)
    #expect(try #require(airports["files"]?.int) < 60)
    #expect(try await late.run("verify", "--remotes").status == 0)
  }
}

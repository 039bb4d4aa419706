import AirportMappings
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitEncryption

/// The steps of a demonstration.
struct DemoStory {
  private let laptop: DemoDevice
  private let phone: DemoDevice
  private let clock = DemoClock()
  private var teller: DemoTeller

  init(_ context: CommandContext, in folder: DemoFolder) throws {
    teller = DemoTeller(context)
    let owner = VaultOwner(from: clock.environment)
    let keys = VaultKeys(of: owner, from: clock.environment)
    laptop = try DemoDevice("laptop", in: folder, keys: keys, environment: clock.environment)
    phone = try DemoDevice("phone", in: folder, keys: keys, environment: clock.environment)
  }

  /// Runs all steps.
  ///
  /// - Returns: Whether both devices have the same data at the end.
  /// - Throws: ``SyncError`` of the first failure.
  mutating func tell() async throws -> Bool {
    try await fill()
    try await editOffline()
    try await meet()
    return try await compare()
  }

  /// Real data goes to one device, and through the folder to the other.
  private mutating func fill() async throws {
    let (laptop, phone) = (laptop, phone)
    try await teller.step(
      "A laptop imports every airport that has an IATA and an ICAO code.",
      ["airports import codes.json"]
    ) {
      let drafts = AirportReference.shared.all.compactMap { airport -> RecordDraft? in
        guard let iata = airport.iata, let icao = airport.icao else { return nil }
        return RecordDraft("mapping", id: RecordID(iata), fields: ["icao": .string(icao)])
      }
      let summary = try laptop.store.importAll(drafts)
      return "\(Plural(summary.added, "mapping")) in one batch, which one undo would take back"
    }
    clock.advance(seconds: 60)
    try await teller.step(
      "It syncs with a folder that both devices see, which holds only encrypted files.", ["sync"]
    ) {
      try await "pushed \(laptop.sync().pushed)"
    }
    try await teller.step("A phone, empty so far, syncs with the same folder.", ["sync"]) {
      try await "pulled \(phone.sync().pulled); it has \(phone.count()) mappings now"
    }
  }

  /// Both work without syncing.
  private mutating func editOffline() async throws {
    let (laptop, phone) = (laptop, phone)
    clock.advance(seconds: 3_600)
    try await teller.step(
      "Offline, the laptop removes a closed airport and changes two others.",
      ["airports rm TXL", "airports add ABC KABC", "airports set SLW source=verified"]
    ) {
      try laptop.store.remove(iata: "TXL")
      try laptop.store.add(iata: "ABC", icao: "KABC")
      try laptop.store.write { try $0.edit(.mapping(iata: "SLW"), ["source": "verified"]) }
      return "TXL is \(try laptop.icao("TXL")), ABC is \(try laptop.icao("ABC")), SLW is verified"
    }
    clock.advance(seconds: 600)
    try await teller.step(
      "Later, also offline, the phone gives ABC another value and adds a code.",
      ["airports add ABC MABC", "airports add XYZ KXYZ"]
    ) {
      try phone.store.add(iata: "ABC", icao: "MABC")
      try phone.store.add(iata: "XYZ", icao: "KXYZ")
      return "TXL is still \(try phone.icao("TXL")), ABC is \(try phone.icao("ABC")), XYZ is new"
    }
  }

  /// They sync, and their edits merge.
  private mutating func meet() async throws {
    let (laptop, phone) = (laptop, phone)
    clock.advance(seconds: 60)
    try await teller.step("The laptop is online first.", ["sync"]) {
      try await "pushed \(laptop.sync().pushed)"
    }
    try await teller.step(
      "The phone follows. Its ABC was not published yet, so it is overridden and kept beside the other.",
      ["sync", "conflicts list"]
    ) {
      let report = try await phone.sync()
      let given = try phone.store.conflicts().flatMap(\.candidates).first { $0.isOverridden }
      let kept = given?.value.map?["icao"]?.string ?? "nothing"
      return "pulled \(report.pulled), pushed \(report.pushed); TXL is \(try phone.icao("TXL")), "
        + "ABC is \(try phone.icao("ABC")), beside the phone's \(kept)"
    }
    try await teller.step("The laptop receives the edits of the phone.", ["sync"]) {
      try await "pulled \(laptop.sync().pulled); XYZ is \(laptop.icao("XYZ"))"
    }
    try await teller.step("With no new edits a sync moves nothing.", ["sync"]) {
      let reports = try await [phone.sync(), laptop.sync()]
      let pushed = reports.reduce(0) { $0 + $1.pushed }
      return "pushed \(pushed), pulled \(reports.reduce(0) { $0 + $1.pulled }), on both devices"
    }
  }

  /// Whether both have the same data, byte for byte.
  private mutating func compare() async throws -> Bool {
    let (laptop, phone) = (laptop, phone)
    var digests: [String] = []
    var hasConverged = false
    try await teller.step(
      "Is everything the same? The digest covers every record and its metadata.", ["verify"]
    ) {
      let zones = try [laptop, phone].map { try $0.store.verify() }
      digests = zones.map { $0.map { "\($0.digest)" }.joined(separator: " ") }
      let isAgreed = try [laptop, phone].allSatisfy { device in
        try device.icao("TXL") == "not there" && device.icao("ABC") == "KABC"
          && device.icao("XYZ") == "KXYZ" && device.count() == laptop.count()
      }
      hasConverged =
        isAgreed && digests[0] == digests[1] && zones.joined().allSatisfy(\.problems.isEmpty)
      return "laptop \(digests[0])\nphone  \(digests[1])\n"
        + (hasConverged ? "the same \(try laptop.count()) mappings" : "they differ")
    }
    teller.finish([
      "converged": .bool(hasConverged), "records": .int(Int64(try laptop.count())),
      "digests": .array(digests.map { .string($0) }),
    ])
    return hasConverged
  }
}

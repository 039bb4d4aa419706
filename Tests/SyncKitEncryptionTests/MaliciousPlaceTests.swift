import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

@testable import SyncKitEncryption

/// Random devices over a place that lies at random: nothing is shown that no device wrote, nothing comes back that was
/// newer before, and once the place is honest all have the same.
struct MaliciousPlaceTests {
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `a world with a place that lies`(_ seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let environment = SyncEnvironment.seeded(seed)
    let keys = VaultKeys(of: VaultOwner(from: environment), from: environment)
    let blobs = InMemoryBlobStore()
    let place = MaliciousPlace(random.fork("place"))
    var devices: [DiaryDevice] = []
    for number in 0..<3 {
      devices.append(
        try DiaryDevice(
          UInt8(number + 1), keys, environment,
          base: BlobTransport(place.view(of: number, over: blobs))))
    }
    var written: Set<String> = []
    /// How often each device has written its own note.
    var counts = [0, 0, 0]
    /// What each device has seen of each device's own note.
    var seen = Array(repeating: [0, 0, 0], count: 3)

    func look(_ number: Int) throws {
      for (id, text) in try devices[number].notes {
        #expect(written.contains(text), "seed \(seed): nobody has written '\(text)'")
        let parts = text.split(separator: " ").compactMap { Int($0) }
        guard id.text.hasPrefix("own"), parts.count == 2 else { continue }
        #expect(
          parts[1] >= seen[number][parts[0]],
          "seed \(seed): device \(number) goes back to \(text) from \(seen[number][parts[0]])")
        seen[number][parts[0]] = parts[1]
      }
    }
    for _ in 0..<60 {
      let number = Int(random.next() % 3)
      if random.chance(55) {
        counts[number] += 1
        let text = "\(number) \(counts[number])"
        written.insert(text)
        try devices[number].note(RecordID("own\(number)"), text)
        if random.chance(40) {
          let shared = "shared \(number) \(counts[number])"
          written.insert(shared)
          try devices[number].note(RecordID("shared\(random.next() % 3)"), shared)
        }
      }
      var options = SyncOptions()
      options.isCompaction = random.chance(10)
      let error = await devices[number].engine.sync(options)[0].error
      #expect(
        error.map { [69, 73, 74, 75, 76, 77].contains($0.code.exit) } ?? true,
        "seed \(seed): \(error?.code.name ?? "") \(error?.message ?? "")")
      try look(number)
    }
    #expect(place.counts.values.reduce(0, +) > 20)
    for name in place.becomeHonest() { blobs.files[name] = nil }
    for round in 0..<8 {
      for number in 0..<3 {
        let outcome = await devices[number].engine.sync(SyncOptions())[0]
        if round > 4 {
          #expect(outcome.error == nil, "seed \(seed): \(outcome.error?.message ?? "")")
        }
        try look(number)
      }
    }
    let all = try devices[0].notes
    for device in devices { #expect(try device.notes == all, "seed \(seed)") }
    for number in 0..<3 where counts[number] > 0 {
      #expect(all[RecordID("own\(number)")] == "\(number) \(counts[number])", "seed \(seed)")
    }
  }
}

import AirportMappings
import FileTransport
import Foundation
import SQLiteStorage
import SegmentFormat
import SyncKit

/// The airport codes of a pilot's logbook app on one device.
struct Logbook {
  let name: String
  let store: SyncStore
  let engine: SyncEngine

  /// Opens the logbook of a device, or creates one.
  init(device name: String, in data: String, sharing folder: String) throws {
    self.name = name
    store = try SyncStore(
      AirportsDomain(),
      storage: SQLiteStorage(path: "\(data)/\(name)/airports.sqlite"),
      coding: DeflateSegmentCoding(),
      // An app draws the id once and keeps it.
      device: Device(id: "device-\(name)", name: name),
      environment: SyncEnvironment(
        now: { Int64(Date().timeIntervalSince1970 * 1_000) },
        random: { UInt64.random(in: .min ... .max) }))
    let transport = FileTransport(path: folder, createIfParentExists: true)
    engine = SyncEngine(
      store: store, remotes: [Remote("folder", location: "file:\(folder)", transport: transport)])
  }

  /// Every mapping as `IATA ICAO`, in the order of the codes.
  func codes() throws -> [String] {
    try store.sortedMappings().map { "\($0.iata) \($0.icao)" }
  }

  /// Prints the result of learning a code.
  func tell(_ result: LearningResult) {
    switch result {
    case .written(let outcome, let check): print("\(name): \(check.iata) \(outcome.rawValue)")
    case .refused(let reason): print("\(name): not learned. \(reason)")
    }
  }

  /// Prints the events of the store, where an app would refresh its list; ends when it is cancelled.
  func watch() -> Task<Void, Never> {
    let events = store.events
    return Task {
      for await event in events {
        switch event {
        case .changed(let keys, let reason):
          let codes = keys.map(\.id.text).joined(separator: " ")
          print("\(name): \(codes) changed (\(reason.rawValue))")
        case .reload: print("\(name): \(try? codes().count ?? 0) codes, read again")
        case .failed(let remote, let error): print("\(name): \(remote) failed: \(error)")
        case .phase, .progress, .finished: break
        }
      }
    }
  }
}

import AirportMappings
import Foundation
import SyncKit

// A phone and a tablet sync airport codes through a folder. Ends with 1 if they differ.

let place = FileManager.default.temporaryDirectory.path + "/airports-\(UUID().uuidString)"
let isAlike: Bool
do {
  try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
  let phone = try Logbook(device: "phone", in: place, sharing: "\(place)/shared")
  let tablet = try Logbook(device: "tablet", in: place, sharing: "\(place)/shared")
  let watching = tablet.watch()

  // A person enters a code; the app learns another one because the aircraft stood there.
  try phone.store.add(iata: "LHR", icao: "EGLL")
  let landing = Coordinate(latitude: 47.458, longitude: 8.548)
  phone.tell(try phone.store.learn(iata: "ZRH", icao: "LSZH", at: landing))

  // The app does not learn a code that the reference contradicts; only a person may enter it.
  tablet.tell(try tablet.store.learn(iata: "LHR", icao: "EGKK"))
  try tablet.store.add(iata: "JFK", icao: "KJFK")

  for logbook in [phone, tablet, phone] { try await logbook.engine.syncNow() }
  watching.cancel()
  await watching.value

  let (here, there) = (try phone.codes(), try tablet.codes())
  print("phone:  \(here.joined(separator: ", "))")
  print("tablet: \(there.joined(separator: ", "))")
  isAlike = here == there && here == ["JFK KJFK", "LHR EGLL", "ZRH LSZH"]
} catch {
  print("failed: \(error)")
  isAlike = false
}
try? FileManager.default.removeItem(atPath: place)
print(isAlike ? "Both devices have the same codes." : "The two devices differ.")
exit(isAlike ? 0 : 1)

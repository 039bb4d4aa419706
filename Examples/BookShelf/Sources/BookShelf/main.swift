import Foundation
import SyncKit

// Two devices change one book at the same time and sync through a folder. Ends with 1 if they differ.

let place = FileManager.default.temporaryDirectory.path + "/bookshelf-\(UUID().uuidString)"
let isAlike: Bool
do {
  try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
  let desk = try Shelf(device: "desk", in: place, sharing: "\(place)/shared")
  let sofa = try Shelf(device: "sofa", in: place, sharing: "\(place)/shared")

  try desk.save("dune", ["title": "Dune", "author": "Frank Herbert", "tags": .list(["desert"])])
  try await desk.engine.syncNow()
  try await sofa.engine.syncNow()

  // Neither device has seen the other's edits.
  try desk.save("dune", ["tags": .list(["desert", "classic"]), "note": "lend to Ada"])
  try sofa.save("dune", ["tags": .list(["desert", "worms"]), "note": "read before the film"])
  try sofa.save("emma", ["title": "Emma", "author": "Jane Austen"])
  for shelf in [desk, sofa, desk] { try await shelf.engine.syncNow() }

  let (here, there) = (try desk.lines(), try sofa.lines())
  print("desk: \(here.joined(separator: "\n      "))")
  print("sofa: \(there.joined(separator: "\n      "))")
  for conflict in try desk.store.conflicts() {
    print("to decide: \(conflict.key) \(conflict.field)")
  }
  isAlike = here == there && here.count == 2
} catch {
  print("failed: \(error)")
  isAlike = false
}
try? FileManager.default.removeItem(atPath: place)
print(isAlike ? "Both shelves have the same books." : "The two shelves differ.")
exit(isAlike ? 0 : 1)

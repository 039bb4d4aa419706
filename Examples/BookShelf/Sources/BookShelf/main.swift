import Foundation
import SyncKitApp

// Two devices change one book at the same time and sync through a folder. Ends with 1 if they differ.

let place = FileManager.default.temporaryDirectory.appendingPathComponent("shelf-\(UUID())")
defer { try? FileManager.default.removeItem(at: place) }
try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
let shared = Remote.folder(place.appendingPathComponent("shared"))

let desk = try await SyncStore.open(BookShelfDomain(), at: place.appendingPathComponent("desk"))
let sofa = try await SyncStore.open(BookShelfDomain(), at: place.appendingPathComponent("sofa"))
let (here, there) = (desk.sync(with: shared), sofa.sync(with: shared))

try await desk.save("dune", ["title": "Dune", "author": "Frank Herbert", "tags": ["desert"]])
for session in [here, there] { try await session.syncNow() }

// Neither device has seen the other's edits.
try await desk.save("dune", ["tags": ["desert", "classic"], "note": "lend to Ada"])
try await sofa.save("dune", ["tags": ["desert", "worms"], "note": "read before the film"])
try await sofa.save("emma", ["title": "Emma", "author": "Jane Austen"])
for session in [here, there, here] { try await session.syncNow() }

// Both tags are there. Of the two notes a person makes one.
for conflict in try desk.conflicts() {
  let notes = conflict.candidates.compactMap(\.value.string).sorted()
  print("to decide: \(conflict.key) \(conflict.field): \(notes.joined(separator: " | "))")
  try await desk.settle(conflict, as: "lend to Ada; read before the film")
}
for session in [here, there] { try await session.syncNow() }

let (ours, theirs) = (try desk.lines(), try sofa.lines())
print(ours.joined(separator: "\n"))
guard ours == theirs, ours.count == 2, try sofa.conflicts().isEmpty else {
  print("The two shelves differ:\n\(theirs.joined(separator: "\n"))")
  exit(1)
}
print("Both shelves have the same books.")

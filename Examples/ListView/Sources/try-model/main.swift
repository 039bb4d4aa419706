import Foundation
import ListModel
import Observation
import SyncKitApp

// Drives the model as the view does. Ends with 1 when it does not show what it should.

/// Waits until the model shows these titles; each change of what was read asks again.
@MainActor func shows(_ list: BookList, _ titles: [String]) async {
  while true {
    let (changes, continuation) = AsyncStream<Void>.makeStream()
    let shown = withObservationTracking {
      list.books.results.map(\.title)
    } onChange: {
      continuation.yield()
    }
    if shown == titles { return }
    for await _ in changes { break }
  }
}

let store = try SyncStore.inMemory(.books)
let list = BookList(store)
await list.add("Emma")
await list.add("Dune")
await shows(list, ["Dune", "Emma"])

await list.toggle(list.books.results[0])
list.hidesRead = true
await shows(list, ["Emma"])
list.hidesRead = false
await shows(list, ["Dune", "Emma"])

let dune = list.books.results[0]
await list.delete([dune])
await shows(list, ["Emma"])
await list.toggle(dune)
guard dune.isRead, list.failure != nil else {
  print("A book that is gone was changed without a word.")
  exit(1)
}
print("The model of the view shows what the store has.")

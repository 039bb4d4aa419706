import Foundation
import SyncKitApp
import TerminalWindow

// A to-do list in the terminal. Run it twice, with two homes and one shared folder: each window follows the other.
//
//   swift run ToDo ~/todo-desk ~/Shared/todo desk
//   swift run ToDo ~/todo-sofa ~/Shared/todo sofa

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 3, let home = arguments.first, let name = arguments.last else {
  print("usage: ToDo HOME SHARED-FOLDER DEVICE-NAME")
  exit(64)
}
let shared = arguments[arguments.index(after: arguments.startIndex)]
do {
  let store = try await SyncStore.open(.todo, at: home, deviceName: name)
  let session = store.sync(with: .folder(shared))
  await Window(store, session, Terminal()).run()
} catch {
  print("ToDo: \(error)")
  exit(1)
}

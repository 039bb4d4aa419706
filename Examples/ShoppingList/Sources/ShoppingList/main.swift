import Foundation
import SyncKitApp
import TerminalWindow

// A shopping list over a server. 'cloudsync-server server invite anna --url ADDRESS' prints a link to join with.
//
//   swift run ShoppingList ~/shopping anna

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 2, let home = arguments.first, let name = arguments.last else {
  print("usage: ShoppingList HOME DEVICE-NAME")
  exit(64)
}
do {
  let store = try await SyncStore.open(.shopping, at: home, deviceName: name)
  try await Window(store, home: home, Terminal()).run()
} catch {
  print("ShoppingList: \(error)")
  exit(1)
}

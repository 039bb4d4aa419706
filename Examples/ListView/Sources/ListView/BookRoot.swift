#if canImport(SwiftUI)
import ListModel
import SwiftUI
import SyncKitApp

/// Opens the store, and syncs it while the app is in front.
public struct BookRoot: View {
  @Environment(\.scenePhase) private var phase
  @State private var store: SyncStore?
  @State private var session: SyncSession?
  @State private var failure: String?
  private let shared: URL

  /// Shows the books, and shares them with other devices through a folder.
  public init(sharing folder: URL) { shared = folder }

  public var body: some View {
    Group {
      if let store {
        BookListView(store)
      } else if let failure {
        ContentUnavailableView(failure, systemImage: "exclamationmark.triangle")
      } else {
        ProgressView()
      }
    }
    .task { await open() }
    .onChange(of: phase) { _, phase in
      Task {
        switch phase {
        case .active: await session?.start()
        // Sends what is here before the system stops the app.
        case .background: await session?.stop()
        default: break
        }
      }
    }
  }

  private func open() async {
    do {
      let home = URL.applicationSupportDirectory.appending(path: "books")
      let store = try await SyncStore.open(.books, at: home)
      let session = store.sync(with: .folder(shared))
      await session.start()
      (self.store, self.session) = (store, session)
    } catch {
      failure = (error as? SyncError)?.message ?? "\(error)"
    }
  }
}
#endif

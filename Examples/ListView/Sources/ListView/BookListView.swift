#if canImport(SwiftUI)
public import ListModel
public import SwiftUI
public import SyncKitApp

/// The books as a list that follows the store, whoever writes to it.
public struct BookListView: View {
  @State private var list: BookList
  @State private var title = ""

  /// Shows the books of a store.
  public init(_ store: SyncStore) { _list = State(initialValue: BookList(store)) }

  public var body: some View {
    List {
      ForEach(list.books.results) { book in
        Button {
          Task { await list.toggle(book) }
        } label: {
          Label(book.title, systemImage: book.isRead ? "checkmark.circle.fill" : "circle")
        }
      }
      .onDelete { places in
        let books = places.map { list.books.results[$0] }
        Task { await list.delete(books) }
      }
      TextField("Another book", text: $title)
        .onSubmit {
          let added = title
          title = ""
          Task { await list.add(added) }
        }
    }
    .overlay {
      if list.books.isLoaded, list.books.results.isEmpty {
        ContentUnavailableView("No books", systemImage: "books.vertical")
      }
    }
    .toolbar { Toggle("Hide read books", isOn: $list.hidesRead) }
    .alert("Not done", isPresented: hasFailed) {
    } message: {
      Text(list.failure ?? "")
    }
  }

  private var hasFailed: Binding<Bool> {
    Binding {
      list.failure != nil
    } set: {
      if !$0 { list.failure = nil }
    }
  }
}

#Preview("Two books") {
  // A store in memory: the preview writes no file, and ends with what it has written.
  if let store = try? SyncStore.inMemory(.books) {
    BookListView(store)
      .task {
        _ = try? await store.write { transaction in
          for title in ["Dune", "Emma"] { try transaction.insert(Book(title)) }
        }
      }
  }
}
#endif

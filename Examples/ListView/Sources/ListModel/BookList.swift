public import Observation
public import SyncKitApp

/// What the list shows and does, for a view to follow.
@MainActor @Observable public final class BookList {
  /// The books that are shown, with what led to them.
  public private(set) var books: LiveQuery<Book>
  /// Whether books that were read are hidden.
  public var hidesRead = false {
    didSet { if hidesRead != oldValue { books = Self.query(store, hidesRead: hidesRead) } }
  }
  /// What went wrong with the last thing that the person did; the view shows it and sets it back.
  public var failure: String?
  private let store: SyncStore

  /// Follows the books of a store.
  public init(_ store: SyncStore) {
    self.store = store
    books = Self.query(store, hidesRead: false)
  }

  private static func query(_ store: SyncStore, hidesRead: Bool) -> LiveQuery<Book> {
    let all = RecordQuery(Book.self).order(by: \.title)
    return LiveQuery(hidesRead ? all.where(\.isRead == false) : all, in: store)
  }

  /// Adds a book.
  public func add(_ title: String) async {
    await attempt { try await $0.write { try $0.insert(Book(title)) } }
  }

  /// Marks a book as read, or as not read.
  public func toggle(_ book: Book) async {
    await attempt {
      try await $0.write { try $0.update(Book.self, book.id) { $0.isRead.toggle() } }
    }
  }

  /// Deletes books.
  public func delete(_ books: [Book]) async {
    await attempt { store in
      try await store.write { transaction in
        for book in books { try transaction.delete(Book.self, book.id) }
      }
    }
  }

  private func attempt(_ body: (SyncStore) async throws -> Void) async {
    do { try await body(store) } catch { failure = (error as? SyncError)?.message ?? "\(error)" }
  }
}

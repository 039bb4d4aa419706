public import Observation
public import SyncKit

/// The records of a query as a model of a view: it changes whenever they do.
///
/// ```swift
/// struct ShelfView: View {
///   @State private var books: LiveQuery<Book>
///   init(store: SyncStore) { _books = State(initialValue: LiveQuery(RecordQuery(Book.self).order(by: \.title), in: store)) }
///   var body: some View { List(books.results) { Text($0.title) } }
/// }
/// ```
@MainActor @Observable public final class LiveQuery<Model: SyncedRecord> {
  /// The records; empty before the first were read.
  public private(set) var results: [Model] = []
  /// Whether the first records have been read.
  public private(set) var isLoaded = false
  /// Why nothing more comes; nil while all is well.
  public private(set) var error: (any Error)?
  @ObservationIgnored private var listening: Task<Void, Never>?

  /// Observes a query until the model is released.
  public init(
    _ query: RecordQuery<Model>, in store: SyncStore, pause: Duration = .milliseconds(100)
  ) {
    let stream = store.observe(query, pause: pause)
    listening = Task { [weak self] in
      do {
        for try await results in stream { self?.take(results) }
      } catch {
        self?.error = error
      }
    }
  }

  isolated deinit { listening?.cancel() }

  private func take(_ models: [Model]) {
    results = models
    isLoaded = true
  }
}

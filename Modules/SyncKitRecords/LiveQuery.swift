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
  @ObservationIgnored private var listening: Listening?

  /// A task that ends when nothing refers to it any more: a model of the main actor cannot end one when it is released.
  private final class Listening: Sendable {
    private let task: Task<Void, Never>
    init(_ task: Task<Void, Never>) { self.task = task }
    deinit { task.cancel() }
  }

  /// Observes a query until the model is released.
  public init(
    _ query: RecordQuery<Model>, in store: SyncStore, pause: Duration = .milliseconds(100)
  ) {
    let stream = store.observe(query, pause: pause)
    listening = Listening(
      Task { [weak self] in
        do {
          for try await results in stream { self?.take(results) }
        } catch {
          self?.error = error
        }
      })
  }

  private func take(_ models: [Model]) {
    results = models
    isLoaded = true
  }
}

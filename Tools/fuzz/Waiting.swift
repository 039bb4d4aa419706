import Dispatch
import Synchronization

/// Runs an asynchronous function to its end.
func wait(_ body: @escaping @Sendable () async -> Void) {
  let isOver = DispatchSemaphore(value: 0)
  Task.detached {
    await body()
    isOver.signal()
  }
  isOver.wait()
}

/// A list that several tasks may add to.
final class SharedList<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])

  var all: [Element] { elements.withLock { $0 } }

  func add(_ element: Element) { elements.withLock { $0.append(element) } }
}

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A thread for blocking work, which must not run on the threads of tasks.
enum OwnThread {
  /// Runs `body` on its own thread.
  static func run(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Work(body))
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    let code = pthread_create(
      &thread, nil,
      { pointer in
        #if canImport(Darwin)
        Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
        #else
        if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body() }
        #endif
        return nil
      }, box.toOpaque())
    guard code == 0 else { return box.release() }
    #if canImport(Darwin)
    if let thread { pthread_detach(thread) }
    #else
    pthread_detach(thread)
    #endif
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}

import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The current input, so that one that ends the process can be reported and kept.
enum CurrentInput {
  private static let bytes = Mutex<[UInt8]>([])
  private static let words = Mutex("")
  private static let isWatching = Mutex(false)

  static func begin(_ target: FuzzTarget, _ input: [UInt8], _ name: String) {
    bytes.withLock { $0 = input }
    words.withLock { $0 = "\(target.name), \(name)" }
    isWatching.withLock { isWatching in
      guard !isWatching else { return }
      isWatching = true
      for number in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGBUS, SIGALRM] { signal(number, handle) }
    }
  }

  /// Runs when all is lost anyway, so it may do things that a handler must not.
  private static let handle: @convention(c) (Int32) -> Void = { number in
    signal(number, SIG_DFL)
    let path = "crash-\(getpid())"
    let input = CurrentInput.bytes.withLockIfAvailable { $0 } ?? []
    if let file = fopen(path, "wb") {
      fwrite(input, 1, input.count, file)
      fclose(file)
    }
    let what = CurrentInput.words.withLockIfAvailable { $0 } ?? "?"
    let message = Array("signal \(number) at \(what); the input is in \(path)\n".utf8)
    _ = write(2, message, message.count)
    raise(number)
    _exit(1)
  }
}

import CSyncKitCurl
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The one thread that moves the transfers of the process.
///
/// It begins with the first transfer, sleeps while there is none, and ends before the process does. Handles of
/// libcurl are touched here alone.
final class CurlThread: Sendable {
  /// What the thread is asked to do.
  private enum Order {
    case start(CurlTransfer)
    /// Reads on, since what came has been taken.
    case resume(CurlTransfer)
    case cancel(CurlTransfer)
    case stop
  }

  /// The thread; nil where libcurl cannot be loaded.
  static let shared: CurlThread? = {
    guard ccurl_load(), let multi = ccurl_multi_init() else { return nil }
    let thread = CurlThread(multi: multi)
    guard thread.begin() else { return nil }
    // Libraries below clear up at the end of the process, and must not do so under a transfer. What is
    // registered last runs first.
    atexit { CurlThread.shared?.stop() }
    return thread
  }()

  private nonisolated(unsafe) let multi: UnsafeMutableRawPointer
  private let orders = Mutex<[Order]>([])
  private let thread = Mutex<pthread_t?>(nil)

  private init(multi: UnsafeMutableRawPointer) { self.multi = multi }

  func start(_ transfer: CurlTransfer) { give(.start(transfer)) }
  func resume(_ transfer: CurlTransfer) { give(.resume(transfer)) }
  func cancel(_ transfer: CurlTransfer) { give(.cancel(transfer)) }

  private func give(_ order: Order) {
    orders.withLock { $0.append(order) }
    ccurl_multi_wakeup(multi)
  }

  private func begin() -> Bool {
    let context = Unmanaged.passRetained(self).toOpaque()
    // A signal is for the program and not for this thread.
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    #if canImport(Darwin)
    var made: pthread_t?
    let status = pthread_create(&made, nil, { CurlThread.main($0) }, context)
    #else
    var made = pthread_t()
    let status = pthread_create(&made, nil, { $0.flatMap { CurlThread.main($0) } }, context)
    #endif
    guard status == 0 else {
      Unmanaged<CurlThread>.fromOpaque(context).release()
      return false
    }
    thread.withLock { $0 = made }
    return true
  }

  /// Ends the thread and waits for its end; transfers stay where they are.
  private func stop() {
    guard
      let ending = thread.withLock({ thread in
        defer { thread = nil }
        return thread
      }), pthread_equal(ending, pthread_self()) == 0
    else { return }
    give(.stop)
    pthread_join(ending, nil)
  }

  private static func main(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<CurlThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }

  private func run() {
    var running: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    while true {
      for order in orders.withLock({ orders in
        defer { orders = [] }
        return orders
      }) {
        if case .stop = order { return }
        obey(order, &running)
      }
      ccurl_multi_perform(multi)
      var result = CURLE_OK
      while let easy = ccurl_multi_ended(multi, &result) {
        end(running[easy], as: .ended(result), &running)
      }
      for transfer in running.values where transfer.isSilent() {
        end(transfer, as: .silent, &running)
      }
      ccurl_multi_poll(multi, rest(running.values.map(\.silence).min()))
    }
  }

  /// How long the thread sleeps at most, in milliseconds, so that a silence is noticed within a quarter of its length.
  private func rest(_ silence: Duration?) -> Int32 {
    guard let silence, silence < .seconds(240) else { return 60_000 }
    return Int32(max(10, silence / .milliseconds(4)))
  }

  private func obey(_ order: Order, _ running: inout [UnsafeMutableRawPointer: CurlTransfer]) {
    switch order {
    case .start(let transfer):
      guard let easy = transfer.easy else {
        transfer.close(.ended(CURLE_FAILED_INIT)) {}
        return
      }
      running[easy] = transfer
      if ccurl_multi_add(multi, easy) != CURLM_OK {
        end(transfer, as: .ended(CURLE_FAILED_INIT), &running)
      }
    case .resume(let transfer):
      guard let easy = transfer.easy, running[easy] === transfer else { return }
      let result = ccurl_easy_resume(easy)
      if result != CURLE_OK { end(transfer, as: .ended(result), &running) }
    case .cancel(let transfer): end(transfer, as: .cancelled, &running)
    case .stop: break
    }
  }

  private func end(
    _ transfer: CurlTransfer?, as end: CurlTransfer.End,
    _ running: inout [UnsafeMutableRawPointer: CurlTransfer]
  ) {
    guard let transfer else { return }
    transfer.close(end) {
      guard let easy = transfer.easy, running.removeValue(forKey: easy) != nil else { return }
      ccurl_multi_remove(multi, easy)
    }
  }
}

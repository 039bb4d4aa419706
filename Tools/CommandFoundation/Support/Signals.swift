import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Whether SIGHUP has come; outside of all types, since a handler can reach nothing else.
private let hangups = Atomic(false)

/// The signal that asks to end, 0 before it has come.
private let ending = Atomic<Int32>(0)

/// Notes a signal that asks to end; a second one ends the process.
private func noteEnd(_ number: Int32) {
  let first = ending.compareExchange(expected: 0, desired: number, ordering: .relaxed).exchanged
  if !first { _exit(128 + number) }
}

/// What the process does when it is asked to end.
///
/// It ends at once, unless it is one that brings first what was just written: every local write is a transaction, every file is replaced whole and every lock is
/// the kernel's, so there is nothing to clean up and the next run needs no repair.
package enum Signals {
  /// Ends with 130 on SIGINT and 143 on SIGTERM; a closed pipe is an error of the write, not a signal.
  package static func install() {
    // What the handlers reach is made now: within one it could wait for a lock of what it interrupts.
    HiddenInput.end()
    _ = takesHangup()
    _ = endStatus
    end(on: SIGINT) { _ in
      HiddenInput.end()
      _exit(130)
    }
    end(on: SIGTERM) { _ in
      HiddenInput.end()
      _exit(143)
    }
    signal(SIGPIPE, SIG_IGN)
  }

  /// From now on SIGHUP does not end the process; ``takesHangup()`` reports it.
  package static func keepHangups() {
    end(on: SIGHUP) { _ in hangups.store(true, ordering: .relaxed) }
  }

  /// Whether SIGHUP has come since this was last asked.
  package static func takesHangup() -> Bool { hangups.exchange(false, ordering: .relaxed) }

  /// From now on the first SIGINT or SIGTERM does not end the process, and ``endStatus`` reports it.
  ///
  /// A second one ends it.
  package static func keepEnds() {
    end(on: SIGINT, noteEnd)
    end(on: SIGTERM, noteEnd)
  }

  /// The exit status with which a signal has asked to end since ``keepEnds()``; nil before it has come.
  package static var endStatus: Int32? {
    let number = ending.load(ordering: .relaxed)
    return number == 0 ? nil : 128 + number
  }

  /// Sets a handler, unless the parent of the process wants the signal ignored, as `nohup` does.
  private static func end(on number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var current = sigaction()
    sigaction(number, nil, &current)
    #if canImport(Darwin)
    let address = unsafeBitCast(current.__sigaction_u.__sa_handler, to: Int.self)
    #else
    let address = unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self)
    #endif
    // SIG_IGN is the address 1 on every platform; there is no other way to compare functions.
    if address != 1 { signal(number, handler) }
  }
}

/// The three streams a process is started with.
package enum StandardStreams {
  /// Makes sure that all three are open.
  ///
  /// A caller may close one; the next file opened, such as a store, would take its place and be
  /// written over by the first message. Opened the wrong way round here, a write still fails.
  package static func secure() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

import LocalMachine
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Where a command's text goes: standard output, standard error, or a buffer that a test reads.
///
/// Writing never throws. When the reader of a pipe has gone, what follows is dropped and
/// ``isAbandoned`` says so, which a long list uses to stop early; any other failure is kept in
/// ``failure``, for the end of the run to report.
package final class ByteSink: Sendable {
  private struct State {
    var buffer: [UInt8] = []
    var failure: Int32?
  }

  private static let bufferSize = 1 << 16

  private let descriptor: Int32?
  private let isBuffered: Bool
  private let state = Mutex(State())

  /// Writes to an open file, at once or when there is enough to be worth a call.
  package init(descriptor: Int32, isBuffered: Bool) {
    self.descriptor = descriptor
    self.isBuffered = isBuffered
  }

  /// Keeps everything, for a test to read.
  package init() {
    descriptor = nil
    isBuffered = true
  }

  /// Whether the reader has gone, so that writing on is of no use.
  package var isAbandoned: Bool { state.withLock { $0.failure == EPIPE } }

  /// The number of the error that writing met, unless the reader has just gone.
  package var failure: Int32? { state.withLock { $0.failure == EPIPE ? nil : $0.failure } }

  /// What was written to a stream that keeps everything, otherwise what is still to be written.
  package var text: String { state.withLock { String(decoding: $0.buffer, as: UTF8.self) } }

  package func write(_ text: String) { write(bytes: text.utf8) }

  package func write(bytes: some Collection<UInt8>) {
    state.withLock { state in
      guard state.failure == nil else { return }
      state.buffer.append(contentsOf: bytes)
      if !isBuffered || state.buffer.count >= Self.bufferSize { drain(&state) }
    }
  }

  /// Brings everything to the file.
  package func flush() { state.withLock { drain(&$0) } }

  private func drain(_ state: inout State) {
    guard let descriptor else { return }
    var written = 0
    while written < state.buffer.count, state.failure == nil {
      let count = state.buffer[written...].withUnsafeBytes {
        systemWrite(descriptor, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        // Another program made the terminal non-blocking; the bytes still have to get there.
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&wait, 1, -1)
      } else if errno != EINTR {
        state.failure = errno
      }
    }
    state.buffer.removeAll(keepingCapacity: true)
  }
}

import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Whether the terminal shows nothing of what is typed, because we said so; outside of all types, since a handler of a
/// signal can reach nothing else.
private let isHidden = Atomic(false)

/// Typing that the terminal does not show.
package enum HiddenInput {
  /// From now on nothing that is typed is shown, but the end of the line; what was typed before is forgotten.
  package static func begin() {
    var mode = termios()
    guard tcgetattr(STDIN_FILENO, &mode) == 0, mode.c_lflag & tcflag_t(ECHO) != 0 else { return }
    mode.c_lflag = mode.c_lflag & ~tcflag_t(ECHO) | tcflag_t(ECHONL)
    // Said before it is done, so that a signal in between leaves no terminal that shows nothing.
    isHidden.store(true, ordering: .sequentiallyConsistent)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &mode)
  }

  /// Shows again what is typed; a handler of a signal may call it.
  package static func end() {
    guard isHidden.exchange(false, ordering: .sequentiallyConsistent) else { return }
    var mode = termios()
    guard tcgetattr(STDIN_FILENO, &mode) == 0 else { return }
    mode.c_lflag = mode.c_lflag & ~tcflag_t(ECHONL) | tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &mode)
  }
}

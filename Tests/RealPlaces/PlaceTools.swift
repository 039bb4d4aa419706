#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What services are prepared with.
enum PlaceTools {
  /// Runs a program of the system to its end, without its output.
  ///
  /// `system` would not do: while it waits, this process ignores SIGINT, and so does whatever another test starts
  /// at that moment.
  ///
  /// - Throws: ``PlaceFailure`` when it cannot be started or fails.
  static func run(_ words: [String]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    // The folder of the tests may be closed to the service's user.
    var arguments = (["env", "-C", "/"] + words).map { strdup($0) } + [nil]
    defer { for text in arguments { free(text) } }
    var process = pid_t()
    let line = words.joined(separator: " ")
    let code = posix_spawn(&process, "/usr/bin/env", &actions, nil, &arguments, environ)
    guard code == 0 else { throw PlaceFailure("\(line) did not start: \(code)") }
    var state: Int32 = 0
    while waitpid(process, &state, 0) == -1, errno == EINTR {}
    guard state == 0 else { throw PlaceFailure("\(line) failed: \(state)") }
  }

  /// The first 64 KiB of a text file.
  static func read(_ path: String) throws -> String {
    guard let file = fopen(path, "r") else { throw PlaceFailure("\(path) cannot be read") }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// Writes a text file that has the given mode.
  static func write(_ text: String, to path: String, mode: mode_t = 0o600) throws {
    guard let file = fopen(path, "w") else { throw PlaceFailure("\(path) cannot be written") }
    defer { fclose(file) }
    chmod(path, mode)
    guard fputs(text, file) >= 0 else { throw PlaceFailure("\(path) cannot be written") }
  }
}

import SyncKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#endif

/// Cold processes, measured by the system's own accounting.
enum Process {
  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - words: The program, looked up in `PATH` unless it has a slash, and its arguments.
  ///   - output: The file that gets its standard output; nil to drop it, empty to pass it on.
  ///   - variables: Environment variables over this process's own.
  /// - Returns: Its cost.
  /// - Throws: ``SyncError`` `failure` if it cannot be started or fails.
  @discardableResult
  static func run(
    _ words: [String], output: String? = nil, variables: [String: String] = [:]
  ) throws -> Cost {
    guard let program = words.first else { throw SyncError(.bug, "There is nothing to run.") }
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    #else
    var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    if output != "" {
      posix_spawn_file_actions_addopen(
        &actions, 1, output ?? "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }

    let arguments = CStrings(words)
    let environment = CStrings(host(variables))
    let start = POSIX.seconds()
    var child: pid_t = 0
    let code = posix_spawnp(
      &child, program, &actions, nil, arguments.pointers, environment.pointers)
    guard code == 0 else {
      throw SyncError(.failure, "Cannot run '\(program)'.", cause: String(cString: strerror(code)))
    }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(child, &status, 0, &usage) < 0 {
      guard errno == EINTR else { throw POSIX.failure("wait for", program) }
    }
    let wall = POSIX.seconds() - start
    guard status == 0 else {
      throw SyncError(
        .failure, "'\(words.joined(separator: " "))' failed.", cause: "status \(status >> 8)")
    }
    return Cost(
      wall: wall, cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime), peak: peak(usage))
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }

  private static func peak(_ usage: rusage) -> Int {
    #if canImport(Darwin)
    Int(usage.ru_maxrss)
    #else
    Int(usage.ru_maxrss) << 10
    #endif
  }

  /// This process's environment with some variables changed; an empty value takes one out.
  private static func host(_ changes: [String: String]) -> [String] {
    var kept: [String] = []
    #if canImport(Darwin)
    var next = _NSGetEnviron().pointee
    #else
    var next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = environ
    #endif
    while let entry = next.pointee {
      let text = String(cString: entry)
      if changes[String(text.prefix { $0 != "=" })] == nil { kept.append(text) }
      next += 1
    }
    return kept + changes.filter { !$0.value.isEmpty }.map { "\($0.key)=\($0.value)" }
  }
}

/// Strings as C wants lists of them.
private final class CStrings {
  private(set) var pointers: [UnsafeMutablePointer<CChar>?]

  init(_ texts: [String]) { pointers = texts.map { strdup($0) } + [nil] }

  deinit { for pointer in pointers { free(pointer) } }
}

import LocalMachine

#if canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#elseif canImport(Darwin)
@preconcurrency import Darwin
#endif

/// A program that is run for what it prints.
package enum ChildProcess {
  /// Runs a program to its end.
  ///
  /// Arguments are passed as they are, without a shell. Standard error is this process's own, so that a
  /// password manager can say what it lacks.
  ///
  /// - Parameters:
  ///   - command: The program, looked up in `PATH` unless it has a slash, and its arguments.
  ///   - input: A file that it reads as its standard input; nothing unless told otherwise.
  ///   - variables: What its environment has besides that of this process.
  ///   - hidesErrors: Whether its standard error is discarded.
  ///   - seconds: How long it may take; then it is ended, and its status is 137.
  ///   - limit: How many bytes of its output are kept; the rest is read and dropped.
  /// - Returns: Its exit status, 128 and the number for one that a signal ended, and its output.
  /// - Throws: ``SystemError`` when it cannot be started.
  package static func run(
    _ command: [String], input: String = "/dev/null", variables: [String: String] = [:],
    hidesErrors: Bool = false, seconds: Int? = nil, limit: Int = 1 << 16
  ) throws(SystemError) -> (status: Int32, output: [UInt8]) {
    guard let program = command.first else {
      throw SystemError("run an empty command", number: EINVAL)
    }
    var pipes: [Int32] = [-1, -1]
    guard pipe(&pipes) == 0 else { throw SystemError("run \(program)") }
    for descriptor in pipes { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    defer { close(pipes[0]) }
    let child: pid_t
    do throws(SystemError) {
      child = try start(command, input, variables, output: pipes[1], hidesErrors: hidesErrors)
      close(pipes[1])
    } catch {
      close(pipes[1])
      throw error
    }
    let end = seconds.map { ContinuousClock.now.advanced(by: .seconds($0)) }
    let output = drain(pipes[0], limit: limit, until: end)
    let status = try wait(for: child, program, until: end)
    let signal = status & 0x7F
    return (signal == 0 ? status >> 8 & 0xFF : 128 + signal, output)
  }

  /// Waits for the end of a program, which may go on when it is not read any more, and ends it when its time is
  /// over.
  private static func wait(
    for child: pid_t, _ program: String, until end: ContinuousClock.Instant?
  ) throws(SystemError) -> Int32 {
    var status: Int32 = 0
    var isEnded = end == nil
    var pause: UInt32 = 1_000
    while true {
      let found = waitpid(child, &status, isEnded ? 0 : WNOHANG)
      if found == child { return status }
      guard found == 0 || errno == EINTR else { throw SystemError("wait for \(program)") }
      guard found == 0, let end else { continue }
      if ContinuousClock.now >= end {
        kill(child, SIGKILL)
        isEnded = true
      } else {
        usleep(pause)
        pause = min(pause * 2, 50_000)
      }
    }
  }

  private static func start(
    _ command: [String], _ input: String, _ variables: [String: String], output: Int32,
    hidesErrors: Bool
  ) throws(SystemError) -> pid_t {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    var inherited = _NSGetEnviron().pointee
    #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    var inherited = environ
    #endif
    // Ours first: of a name that appears twice, most programs know the first.
    var settings = variables.map { strdup("\($0.key)=\($0.value)") }
    let own = settings
    defer { for setting in own { free(setting) } }
    while let next = inherited.pointee {
      settings.append(next)
      inherited += 1
    }
    settings.append(nil)
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    if hidesErrors {
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }

    // This process ignores a closed pipe; other programs count on being ended by it.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

    var words = command.map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var child: pid_t = 0
    let number = posix_spawnp(&child, command[0], &actions, &attributes, words, settings)
    guard number == 0 else { throw SystemError("run \(command[0])", number: number) }
    return child
  }

  private static func drain(
    _ descriptor: Int32, limit: Int, until end: ContinuousClock.Instant?
  ) -> [UInt8] {
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      if let end {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let isReady = poll(&event, 1, 100) > 0
        if ContinuousClock.now >= end { return output }
        guard isReady else { continue }
      }
      let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return output }
      output += chunk.prefix(min(count, limit - output.count))
    }
  }
}

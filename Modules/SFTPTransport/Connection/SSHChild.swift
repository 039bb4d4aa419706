import SyncKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A client of SSH that runs, and the ends of its pipes that are ours; they do not block.
///
/// Only one thread uses it, so waiting for it blocks nothing else.
struct SSHChild: ~Copyable {
  /// What goes to the server is written here; -1 when it is closed.
  private(set) var input: Int32
  /// What comes from the server is read here.
  let output: Int32
  /// What the client says to people is read here.
  let errors: Int32
  private let process: pid_t
  /// The last 4 KiB of what it has said.
  private(set) var said: [UInt8] = []

  /// Starts it.
  ///
  /// - Throws: ``SyncError`` `program.missing`, `remote.io`.
  init(_ words: [String], variables: [String: String]) throws(SyncError) {
    let pipes = try Self.pipes()
    defer { for number in [pipes[0].read, pipes[1].write, pipes[2].write] { close(number) } }
    let number = Self.start(
      words, variables, input: pipes[0].read, output: pipes[1].write, errors: pipes[2].write)
    switch number {
    case .success(let process): self.process = process
    case .failure(let failure):
      for number in [pipes[0].write, pipes[1].read, pipes[2].read] { close(number) }
      throw SyncError(
        .programMissing, "The program '\(words[0])' cannot be started.",
        hint: "Install the client of OpenSSH, on Debian with 'apt install openssh-client', or "
          + "correct the remote's ssh-command.",
        cause: String(cString: strerror(failure.number)))
    }
    (input, output, errors) = (pipes[0].write, pipes[1].read, pipes[2].read)
  }

  private static func pipes() throws(SyncError) -> [(read: Int32, write: Int32)] {
    var made: [(read: Int32, write: Int32)] = []
    for _ in 0..<3 {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else {
        let code = errno
        for (read, write) in made {
          close(read)
          close(write)
        }
        throw SyncError(
          .remoteIO, "No pipe to a client of SSH can be made.",
          cause: String(cString: strerror(code)))
      }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      made.append((ends[0], ends[1]))
    }
    for end in [made[0].write, made[1].read, made[2].read] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    return made
  }

  private struct Failure: Error { let number: Int32 }

  private static func start(
    _ words: [String], _ variables: [String: String], input: Int32, output: Int32, errors: Int32
  ) -> Result<pid_t, Failure> {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, end) in [input, output, errors].enumerated() {
      posix_spawn_file_actions_adddup2(&actions, end, Int32(number))
    }
    // The thread that starts it has all signals blocked, and the program may ignore some.
    var (none, usual) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&usual)
    for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD] { sigaddset(&usual, signal) }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    // In a group of its own it outlives Ctrl-C, so that what is under way can be brought to an end.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var arguments = words.map { strdup($0) } + [nil]
    var environment = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var process = pid_t()
    let status = posix_spawnp(
      &process, words[0], &actions, &attributes, &arguments, &environment)
    return status == 0 ? .success(process) : .failure(Failure(number: status))
  }

  /// Reads what it says to people, as much as there is; false when it is silent from now on.
  mutating func listen() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(errors, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 && errno == EAGAIN }
      said += buffer.prefix(count)
      if said.count > 4_096 { said.removeFirst(said.count - 4_096) }
    }
  }

  /// Ends it, with patience for one that is about to end by itself, and hears its last words.
  ///
  /// - Returns: Its exit status; nil when it had to be ended.
  mutating func end(patience: Int) -> Int32? {
    close(input)
    input = -1
    var status: Int32 = 0
    // A helper that it leaves behind, such as a shared connection, may keep the pipes open.
    for step in 0..<patience + 100 {
      if step == patience { kill(process, SIGTERM) }
      let found = waitpid(process, &status, WNOHANG)
      if found == process || found < 0 && errno != EINTR {
        _ = listen()
        return found == process && step <= patience && status & 0x7F == 0 ? status >> 8 & 0xFF : nil
      }
      _ = listen()
      usleep(10_000)
    }
    kill(process, SIGKILL)
    waitpid(process, &status, 0)
    _ = listen()
    return nil
  }

  deinit {
    if input >= 0 { close(input) }
    close(output)
    close(errors)
  }
}

/// The system's `close`, where a method has that name too.
func systemClose(_ number: Int32) -> Int32 {
  #if canImport(Darwin)
  Darwin.close(number)
  #elseif canImport(Glibc)
  Glibc.close(number)
  #else
  Musl.close(number)
  #endif
}

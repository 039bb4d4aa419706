import LocalMachine

#if canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#elseif canImport(Darwin)
@preconcurrency import Darwin
#endif

/// Everything a command meets of the outside: streams, environment, clock.
///
/// A value, so that a test hands in its own and reads back what was printed.
package struct Terminal: Sendable {
  package var output: ByteSink
  package var error: ByteSink
  /// Reads standard input: the next bytes, none at its end.
  package var read: @Sendable () throws(SystemError) -> [UInt8]
  /// Hides what is typed from now on, or shows it again.
  package var hideInput: @Sendable (Bool) -> Void

  package var isInputTerminal: Bool
  package var isOutputTerminal: Bool
  package var isErrorTerminal: Bool
  /// How many columns the terminal of standard output has; nil when that is no terminal.
  package var columns: Int?
  /// How many columns the terminal of standard error has now; nil when that is no terminal.
  package var errorColumns: @Sendable () -> Int?

  package var environment: [String: String]
  package var workingDirectory: String
  /// The user's home folder by the password database.
  package var recordedHome: @Sendable () -> String?
  /// The time, in milliseconds since 1970.
  package var now: @Sendable () -> Int64
  /// Becomes another program, with these arguments; comes back with why it did not.
  package var become: @Sendable (String, [String]) -> SystemError

  package init(
    output: ByteSink, error: ByteSink, read: @escaping @Sendable () throws(SystemError) -> [UInt8],
    hideInput: @escaping @Sendable (Bool) -> Void = { _ in },
    isInputTerminal: Bool, isOutputTerminal: Bool, isErrorTerminal: Bool, columns: Int? = nil,
    errorColumns: @escaping @Sendable () -> Int? = { nil }, environment: [String: String],
    workingDirectory: String,
    recordedHome: @escaping @Sendable () -> String?, now: @escaping @Sendable () -> Int64,
    become: @escaping @Sendable (String, [String]) -> SystemError
  ) {
    self.output = output
    self.error = error
    self.read = read
    self.hideInput = hideInput
    self.isInputTerminal = isInputTerminal
    self.isOutputTerminal = isOutputTerminal
    self.isErrorTerminal = isErrorTerminal
    self.columns = columns
    self.errorColumns = errorColumns
    self.environment = environment
    self.workingDirectory = workingDirectory
    self.recordedHome = recordedHome
    self.now = now
    self.become = become
  }
}

extension Terminal {
  /// The real thing.
  package static func process() -> Terminal {
    let isOutputTerminal = isatty(STDOUT_FILENO) == 1
    return Terminal(
      output: ByteSink(descriptor: STDOUT_FILENO, isBuffered: !isOutputTerminal),
      error: ByteSink(descriptor: STDERR_FILENO, isBuffered: false),
      read: readStandardInput,
      hideInput: { $0 ? HiddenInput.begin() : HiddenInput.end() },
      isInputTerminal: isatty(STDIN_FILENO) == 1,
      isOutputTerminal: isOutputTerminal,
      isErrorTerminal: isatty(STDERR_FILENO) == 1,
      columns: isOutputTerminal ? width(of: STDOUT_FILENO) : nil,
      errorColumns: { width(of: STDERR_FILENO) },
      environment: processEnvironment(),
      workingDirectory: processFolder(),
      recordedHome: homeOnRecord,
      now: WallClock.milliseconds,
      become: replaceProcess)
  }

  /// The next bytes of this process's standard input, at most so many; none at its end.
  static func readInput(_ most: Int) throws(SystemError) -> [UInt8] {
    var chunk = [UInt8](repeating: 0, count: min(most, 1 << 20))
    while true {
      let count = chunk.withUnsafeMutableBytes {
        systemRead(STDIN_FILENO, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError("read standard input") }
      return Array(chunk.prefix(count))
    }
  }

  /// All of standard input.
  ///
  /// - Throws: ``SystemError`` when it cannot be read.
  package func readAll() throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let more = try read()
      if more.isEmpty { return bytes }
      bytes += more
    }
  }
}

@Sendable private func readStandardInput() throws(SystemError) -> [UInt8] {
  try Terminal.readInput(1 << 16)
}

private func width(of descriptor: Int32) -> Int? {
  var size = winsize()
  guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
  return Int(size.ws_col)
}

private func processEnvironment() -> [String: String] {
  #if canImport(Darwin)
  guard var next = _NSGetEnviron().pointee else { return [:] }
  #else
  var next = environ
  #endif
  var variables: [String: String] = [:]
  while let entry = next.pointee {
    if let equals = strchr(entry, 0x3D), equals > entry {
      let nameBytes = UnsafeRawBufferPointer(start: entry, count: equals - entry)
      let name = String(decoding: nameBytes, as: UTF8.self)
      // Of a name that appears twice, getenv knows the first.
      if variables[name] == nil { variables[name] = String(cString: equals + 1) }
    }
    next += 1
  }
  return variables
}

private func processFolder() -> String {
  guard let path = getcwd(nil, 0) else { return "/" }
  defer { free(path) }
  return String(cString: path)
}

@Sendable private func homeOnRecord() -> String? {
  guard let record = getpwuid(getuid()), let home = record.pointee.pw_dir else { return nil }
  return String(cString: home)
}

@Sendable private func replaceProcess(_ path: String, _ arguments: [String]) -> SystemError {
  var words = arguments.map { strdup($0) }
  words.append(nil)
  execv(path, words)
  let error = SystemError("start \(path)")
  for word in words { free(word) }
  return error
}

import LocalMachine

/// The path of this program.
package enum ProgramPath {
  /// The absolute path, with links followed.
  package static var current: String {
    #if os(Linux)
    return LocalFolder.resolved("/proc/self/exe")
    #else
    return LocalFolder.resolved(ProcessArguments.current.first ?? Program.current.name)
    #endif
  }
}

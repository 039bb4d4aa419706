#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What the system writes of the memory of a process that crashes.
package enum CoreDump {
  /// Has nothing written from now on, in this process and those that it starts.
  ///
  /// A process that holds keys calls it before it reads them. Where the system refuses it, nothing has changed.
  package static func forbid() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Glibc)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    #else
    _ = setrlimit(RLIMIT_CORE, &none)
    #endif
  }
}

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension CarrierFailure {
  /// Why a connection failed, by the number of the system's error, as the end of a sentence.
  package static func reason(_ number: Int32) -> String {
    switch number {
    case ECONNREFUSED: "nothing listens there"
    case ECONNRESET, ECONNABORTED, EPIPE: "the connection was reset"
    case ETIMEDOUT: "there was no answer in time"
    case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN: "this network has no route there"
    case EACCES, EPERM: "this system does not allow the connection"
    case EMFILE, ENFILE: "too many files are open on this device"
    case 0: "the connection was lost"
    default: "the connection was lost (\(number))"
    }
  }
}

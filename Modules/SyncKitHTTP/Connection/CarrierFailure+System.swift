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
    case ECONNRESET, ECONNABORTED, EPIPE: "the connection was cut"
    case ETIMEDOUT: "there was no answer in time"
    case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN: "no way leads there from this network"
    case EACCES, EPERM: "this system does not allow the connection"
    case EMFILE, ENFILE: "too many files are open on this device"
    case 0: "the connection broke off"
    default: "the connection broke off (\(number))"
    }
  }
}

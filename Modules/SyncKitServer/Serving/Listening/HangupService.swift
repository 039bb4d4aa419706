import SyncKitText
import ServiceLifecycle
import SyncKit
import UnixSignals

/// Reads the certificate again whenever the process gets a SIGHUP, as after a renewal.
///
/// Without a certificate the signal says nothing, and does not end the server either.
struct HangupService: Service {
  let certificate: ServerCertificate?
  let log: ServerLog

  func run() async throws {
    for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
      guard let certificate else { continue }
      do {
        try certificate.reload()
        log.say(.notice, "certificate reloaded")
      } catch {
        log.say(
          .error, "certificate not reloaded, the previous one stays in use",
          ["message": .string(error.message)])
      }
    }
  }
}

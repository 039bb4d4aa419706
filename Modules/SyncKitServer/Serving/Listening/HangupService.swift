import SyncKitFormats
import ServiceLifecycle
import SyncKit
import UnixSignals

/// Reads the certificate again whenever the process is sent a SIGHUP, as those who renew it do.
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
          .error, "certificate not reloaded, the one before is used on",
          ["message": .string(error.message)])
      }
    }
  }
}

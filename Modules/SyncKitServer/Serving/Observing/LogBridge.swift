import SyncKitText
import Logging

/// Takes what the parts of a server say through swift-log, and says it in the server's own log.
struct LogBridge: LogHandler {
  let log: ServerLog
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.error

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    log.say(
      .error, "failure",
      {
        var keys: JSONObject = ["message": .string("\(event.message)")]
        if let trace = RequestNote.current?.trace { keys["trace"] = .string(trace) }
        return keys
      }())
  }
}

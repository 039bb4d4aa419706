public import SyncKitText
import SyncKit

/// What a server says of itself: a line for each thing that happens, without content, tokens or names.
public struct ServerLog: Sendable {
  /// How much a line matters.
  public enum Level: Int, Sendable, Comparable {
    /// Every request that went well.
    case request
    /// The server began, stops, has ended.
    case notice
    /// A request that failed by the server's own fault, and what else needs attention.
    case error

    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

    var name: String {
      switch self {
      case .request: "info"
      case .notice: "notice"
      case .error: "error"
      }
    }
  }

  /// How a line is written.
  public enum Format: Sendable {
    /// `time level event key=value …`
    case text
    /// An object.
    case json
  }

  private let format: Format
  private let level: Level
  private let now: @Sendable () -> Int64
  private let write: @Sendable (String) -> Void

  /// Makes a log.
  ///
  /// - Parameters:
  ///   - format: How lines are written.
  ///   - level: What matters less is left out.
  ///   - now: Milliseconds since 1970.
  ///   - write: Takes a line with its end; called from many threads.
  public init(
    _ format: Format, level: Level, now: @escaping @Sendable () -> Int64,
    write: @escaping @Sendable (String) -> Void
  ) {
    self.format = format
    self.level = level
    self.now = now
    self.write = write
  }

  /// A log without readers.
  public static let silent = ServerLog(.text, level: .error, now: { 0 }, write: { _ in })

  /// Says something.
  public func say(_ level: Level, _ event: String, _ keys: @autoclosure () -> JSONObject = [:]) {
    guard level >= self.level else { return }
    let time = Timestamp.format(milliseconds: now())
    switch format {
    case .json:
      var line: JSONObject = [
        "time": .string(time), "level": .string(level.name), "event": .string(event),
      ]
      for (key, value) in keys().members { line[key] = value }
      write(JSON.object(line).text() + "\n")
    case .text:
      let pairs = keys().members.map { " \($0.key)=\(Self.text(of: $0.value))" }.joined()
      write("\(time) \(level.name) \(event)\(pairs)\n")
    }
  }

  /// A value in a line of text: quoted where it would not stay one word.
  private static func text(of value: JSON) -> String {
    guard let text = value.string else { return value.text() }
    let isWord =
      !text.isEmpty
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3D }
    return isWord ? text : value.text()
  }
}

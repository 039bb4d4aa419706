import CommandFoundation
import SyncKit
import SyncKitText

/// The crontab line that is equivalent to a timer.
enum CronLine {
  /// The line; cron mails only failures, and 75 is not one.
  static func text(_ words: [String], every: Duration) -> String {
    "\(schedule(every)) \(words.map(quoted).joined(separator: " ")) || [ $? -eq 75 ]"
  }

  /// The nearest interval of cron that is not slower: minutes and hours that divide the next larger unit.
  static func schedule(_ every: Duration) -> String {
    let minutes = max(1, Int(every / .seconds(60)))
    func largest(_ unit: Int, upTo limit: Int) -> Int {
      (1...max(1, min(unit - 1, limit))).last { unit % $0 == 0 } ?? 1
    }
    switch minutes {
    case ..<2: return "* * * * *"
    case ..<60: return "*/\(largest(60, upTo: minutes)) * * * *"
    case ..<120: return "7 * * * *"
    case ..<1_440: return "7 */\(largest(24, upTo: minutes / 60)) * * *"
    default: return "7 3 * * *"
    }
  }

  /// A word for the shell; cron needs every percent sign escaped.
  private static func quoted(_ word: String) -> String {
    ShellWords.quoted(word).split(separator: "%", omittingEmptySubsequences: false)
      .joined(separator: "\\%")
  }
}

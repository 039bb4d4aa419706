import CommandFoundation
import SyncKitFormats
import SyncKit

/// The file of a timer for launchd.
struct LaunchdFile {
  let entry: TimerPlan.Entry
  let words: [String]

  static let prefix = "org.cloudsync."

  var label: String { Self.prefix + entry.name }
  var name: String { "\(label).plist" }

  /// The words of the command in such a file; nil for another file.
  static func words(_ text: String) -> [String]? {
    guard case .dictionary(let members)? = try? PropertyList(parsing: Array(text.utf8)),
      case .array(let words)? = members.first(where: { $0.key == "ProgramArguments" })?.value
    else { return nil }
    return words.compactMap { if case .string(let word) = $0 { word } else { nil } }
  }

  var text: String {
    let arguments = words.map { "    <string>\(MarkupText.escaped($0))</string>\n" }.joined()
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- \(SystemdUnits.mark.dropFirst(2)) -->
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
        <key>Label</key>
        <string>\(MarkupText.escaped(label))</string>
        <key>ProgramArguments</key>
        <array>
      \(arguments)  </array>
        <key>StartInterval</key>
        <integer>\(max(1, Int(entry.every / .seconds(1))))</integer>
        <key>RunAtLoad</key>
        <true/>
        <key>ProcessType</key>
        <string>Background</string>
        <key>Umask</key>
        <integer>63</integer>
      </dict>
      </plist>

      """
  }
}

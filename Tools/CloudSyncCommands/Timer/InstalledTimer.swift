import LocalMachine
import CommandFoundation
import SyncKitFormats
import SyncKit

/// A timer that 'timer install' has made, read from its files.
struct InstalledTimer {
  /// The name of its units, without the extension.
  let name: String
  /// The names of its files.
  let files: [String]
  /// The command, the program first; empty if no file has it.
  let words: [String]
  let seconds: Int64

  /// Reads the files of one timer in a folder.
  init(_ name: String, files: [String], in folder: String) {
    self.name = name
    self.files = files
    let texts = files.map { file in
      let bytes = try? LocalFile.read(LocalFolder.path(folder, file), limit: 1 << 16)
      return String(decoding: bytes ?? [], as: UTF8.self)
    }
    words = texts.compactMap(Self.command).first ?? []
    seconds = texts.compactMap(Self.seconds).first ?? 0
  }

  /// Whether the system runs it, which needs more than a service without a trigger.
  var isComplete: Bool { files.contains { $0.hasSuffix(".timer") || $0.hasSuffix(".plist") } }

  /// Whether it belongs to a profile and a configuration; one without a command belongs to any.
  func belongs(to owner: TimerOwner) -> Bool { words.isEmpty || TimerOwner(words) == owner }

  /// The base name of a file: the same for the service and the timer.
  static func name(ofFile file: String) -> String {
    file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
  }

  /// The value of a key of a unit, or of a launchd file.
  private static func value(_ keys: [String], in text: String) -> Substring? {
    let lines = text.split(separator: "\n")
    for (index, line) in lines.enumerated() {
      for key in keys {
        if line.hasPrefix("\(key)=") { return line.dropFirst(key.utf8.count + 1) }
        if line.contains("<key>\(key)</key>"), index + 1 < lines.count { return lines[index + 1] }
      }
    }
    return nil
  }

  private static func seconds(_ text: String) -> Int64? {
    value(["OnUnitActiveSec", "StartInterval"], in: text).flatMap { value in
      Int64(String(value.filter { $0.isNumber }))
    }
  }

  private static func command(_ text: String) -> [String]? {
    if let line = value(["ExecStart"], in: text) { return SystemdUnits.words(line) }
    return LaunchdFile.words(text)
  }
}

/// The owner of timers: each profile, and each named configuration, has its own.
struct TimerOwner: Equatable {
  let config: String?
  let profile: String?

  /// The owner for this command.
  ///
  /// - Throws: ``SyncError`` `config.invalid` if a home folder is needed and there is none.
  init(_ context: CommandContext) throws(SyncError) {
    config = try context.directoryRequest.namedConfig()
    profile = context.directoryRequest.namedProfile
  }

  /// The owner that the command of a timer is for.
  init(_ words: [String]) {
    func value(_ option: String) -> String? {
      words.firstIndex(of: option).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
    }
    config = value("--config")
    profile = value("--profile")
  }
}

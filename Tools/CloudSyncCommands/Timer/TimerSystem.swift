import LocalMachine
import CommandFoundation
import SyncKit

/// The system's folder of timers, and the commands that start and stop them.
struct TimerSystem {
  let scope: TimerScope
  /// The folder of the files.
  let folder: String
  private let environment: [String: String]

  #if os(macOS)
  static let isLaunchd = true
  #else
  static let isLaunchd = false
  #endif

  /// Finds the folder.
  ///
  /// - Throws: ``SyncError`` `config.invalid` if there is no home folder.
  init(_ scope: TimerScope, _ context: CommandContext) throws(SyncError) {
    self.scope = scope
    environment = context.terminal.environment
    let home = try context.directoryRequest.home()
    switch (Self.isLaunchd, scope) {
    case (true, .user): folder = LocalFolder.path(home, "Library/LaunchAgents")
    case (true, .system): folder = "/Library/LaunchDaemons"
    case (false, .system): folder = "/etc/systemd/system"
    case (false, .user):
      let named = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      folder = LocalFolder.path(named ?? LocalFolder.path(home, ".config"), "systemd/user")
    }
  }

  /// The names of our files; foreign files are ignored.
  func names() -> [String] {
    let ending = Self.isLaunchd ? ".plist" : ""
    return ((try? LocalFolder.names(in: folder, ending: ending)) ?? []).filter { name in
      guard name.contains(Program.current.name),
        let bytes = try? LocalFile.read(LocalFolder.path(folder, name), limit: 1 << 16)
      else { return false }
      return String(decoding: bytes, as: UTF8.self).contains(SystemdUnits.mark.dropFirst(2))
    }
  }

  /// All our timers, of every owner.
  func timers() -> [InstalledTimer] {
    let names = names()
    return Set(names.map(InstalledTimer.name(ofFile:))).sorted().map { name in
      InstalledTimer(
        name, files: names.filter { InstalledTimer.name(ofFile: $0) == name }, in: folder)
    }
  }

  /// The names of the files of one profile and configuration.
  func files(of owner: TimerOwner) -> [String] {
    timers().filter { $0.belongs(to: owner) }.flatMap(\.files)
  }

  /// Writes the files, over older ones.
  ///
  /// - Throws: ``SyncError`` `usage` if foreign files are there, `store.io` and the like.
  func write(
    _ files: [(name: String, text: String)], of owner: TimerOwner
  ) throws(SyncError) {
    let own = self.files(of: owner)
    for file in files where !own.contains(file.name) {
      let path = LocalFolder.path(folder, file.name)
      guard FileSignature(path) == nil else {
        throw SyncError(
          .usage, "\(path) already exists and is not one of this profile's timers",
          hint: "move it away, or give the job another name")
      }
    }
    do throws(SystemError) {
      try LocalFolder.create(folder)
      for file in files {
        try LocalFile.replace(LocalFolder.path(folder, file.name), with: Array(file.text.utf8))
      }
    } catch {
      throw SyncError(error)
    }
  }

  /// Makes the system start timers.
  ///
  /// - Returns: The command for a person to run, if this failed.
  func start(_ names: [String]) -> String? {
    if Self.isLaunchd {
      let failed = names.filter { !run(["launchctl", "load", "-w", LocalFolder.path(folder, $0)]) }
      return failed.first.map { "launchctl load -w '\(LocalFolder.path(folder, $0))'" }
    }
    let timers = names.filter { $0.hasSuffix(".timer") }
    guard run(systemctl + ["daemon-reload"]), run(systemctl + ["enable", "--now"] + timers) else {
      let control = systemctl.joined(separator: " ")
      return "\(control) daemon-reload && \(control) enable --now \(timers.joined(separator: " "))"
    }
    return nil
  }

  /// Makes the system stop them, and removes the files.
  ///
  /// - Throws: ``SyncError`` `store.read-only` and the like for the first file that stays; the others are gone.
  func remove(_ names: [String]) throws(SyncError) {
    guard !names.isEmpty else { return }
    let timers = names.filter { $0.hasSuffix(".timer") }
    if Self.isLaunchd {
      for name in names { _ = run(["launchctl", "unload", "-w", LocalFolder.path(folder, name)]) }
    } else if !timers.isEmpty {
      _ = run(systemctl + ["disable", "--now"] + timers)
    }
    var failure: SystemError?
    for name in names {
      do throws(SystemError) { try LocalFile.remove(LocalFolder.path(folder, name)) } catch {
        failure = failure ?? error
      }
    }
    if !Self.isLaunchd { _ = run(systemctl + ["daemon-reload"]) }
    if let failure { throw SyncError(failure) }
  }

  private var systemctl: [String] { scope == .user ? ["systemctl", "--user"] : ["systemctl"] }

  /// Whether a system command succeeded; its output is dropped.
  private func run(_ command: [String]) -> Bool {
    (try? ChildProcess.run(command, hidesErrors: true))?.status == 0
  }
}

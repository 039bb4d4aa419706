import LocalMachine
import CommandFoundation
import SyncKitFormats
import SyncKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Checks the folders and files of this device: permissions, leftovers, free space, the clock.
struct DoctorFiles {
  private let directories: Directories
  private let isFixing: Bool
  private let now: Int64

  /// A disk with less is soon full.
  private static let leastRoom: Int64 = 100 << 20
  /// 2024-01-01: older than this program.
  private static let past: Int64 = 1_704_067_200_000

  init(_ directories: Directories, isFixing: Bool, now: Int64) {
    self.directories = directories
    self.isFixing = isFixing
    self.now = now
  }

  func checks() -> [DoctorCheck] {
    var checks = [clock]
    let folders = [directories.config, directories.data, directories.state].filter {
      LocalFolder.exists($0)
    }
    let open = folders.filter { Self.mode($0).map { $0 & 0o077 != 0 } ?? false }
    checks.append(
      modes(
        open, "folders", wanted: 0o700,
        all: "only you can open the \(Plural(folders.count, "folder"))"))
    let private_ = privateFiles()
    let readable = private_.filter { Self.mode($0).map { $0 & 0o077 != 0 } ?? false }
    checks.append(
      modes(
        readable, "files", wanted: 0o600,
        all: "only you can read the \(Plural(private_.count, "file"))"
      ))
    let lost = folders.filter { access($0, W_OK | X_OK) != 0 }
    checks += lost.map {
      DoctorCheck(
        "folders", .error, "\($0) cannot be written to",
        advice: "take ownership of it: sudo chown -R $(id -u) '\($0)'")
    }
    checks.append(leftovers())
    if let room = Self.room(directories.data) { checks.append(disk(room)) }
    return checks
  }

  private var clock: DoctorCheck {
    guard now < Self.past else {
      return DoctorCheck("clock", .ok, "the clock shows a plausible time")
    }
    return DoctorCheck(
      "clock", .error, "the clock shows a time before 2024",
      advice: "set it, best by NTP (timedatectl set-ntp true), or new edits count as old ones")
  }

  /// The files with a person's data or a secret.
  private func privateFiles() -> [String] {
    let data = directories.data
    var files = [directories.configFile, LocalFolder.path(data, "device")]
    for ending in [".sqlite", ".sqlite-wal", ".identity"] {
      files += ((try? LocalFolder.names(in: data, ending: ending)) ?? []).map {
        LocalFolder.path(data, $0)
      }
    }
    let tokens = LocalFolder.path(data, "tokens")
    files += ((try? LocalFolder.names(in: tokens, ending: "")) ?? []).map {
      LocalFolder.path(tokens, $0)
    }
    return files.filter { Self.mode($0) != nil }
  }

  private func modes(
    _ wrong: [String], _ subject: String, wanted: mode_t, all: String
  ) -> DoctorCheck {
    guard let first = wrong.first else { return DoctorCheck(subject, .ok, all) }
    let others = wrong.count > 1 ? " and \(wrong.count - 1) more" : ""
    if isFixing, wrong.allSatisfy({ chmod($0, wanted) == 0 }) {
      return DoctorCheck(
        subject, .fixed, "\(first)\(others) could be read by others and no longer can")
    }
    return DoctorCheck(
      subject, .warning, "\(first)\(others) can be read by others",
      advice: "cloudsync doctor --fix, or chmod \(String(wanted, radix: 8)) '\(first)'")
  }

  /// Temporary files that a crash has left behind.
  private func leftovers() -> DoctorCheck {
    let day: Int64 = 86_400
    var stale: [String] = []
    for folder in [directories.data, directories.config] {
      for name in (try? LocalFolder.names(in: folder, ending: ".tmp")) ?? [] {
        let path = LocalFolder.path(folder, name)
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { continue }
        #if canImport(Darwin)
        let changed = Int64(facts.st_mtimespec.tv_sec)
        #else
        let changed = Int64(facts.st_mtim.tv_sec)
        #endif
        if now / 1_000 - changed > day { stale.append(path) }
      }
    }
    guard !stale.isEmpty else {
      return DoctorCheck("files", .ok, "no temporary files are left from a crash")
    }
    if isFixing {
      let left = Self.remove(stale)
      guard let first = left.first else {
        return DoctorCheck(
          "files", .fixed, "removed \(Plural(stale.count, "temporary file")) left by a crash")
      }
      return DoctorCheck(
        "files", .warning,
        "could not remove \(Plural(left.count, "temporary file")) left by a crash: \(first.error)",
        advice: "remove them as root: sudo rm '\(first.path)'")
    }
    return DoctorCheck(
      "files", .info,
      "a crash left \(Plural(stale.count, "temporary file")), such as \(stale[0])",
      advice: "cloudsync doctor --fix removes them")
  }

  /// Removes files, and returns those that stay.
  static func remove(_ paths: [String]) -> [(path: String, error: SystemError)] {
    paths.compactMap { path in
      do throws(SystemError) { try LocalFile.remove(path) } catch { return (path, error) }
      return nil
    }
  }

  private func disk(_ room: Int64) -> DoctorCheck {
    let shown = "\(room >> 20) MiB"
    guard room < Self.leastRoom else {
      return DoctorCheck("disk", .ok, "\(shown) are free on the disk that holds the stores")
    }
    return DoctorCheck(
      "disk", .warning, "only \(shown) are free on the disk that holds the stores",
      advice: "free some space: a full disk loses nothing, but you cannot write until there is some"
    )
  }

  /// The permission bits; nil if the file is missing or has another owner.
  private static func mode(_ path: String) -> mode_t? {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_uid == geteuid() else { return nil }
    return facts.st_mode & 0o777
  }

  private static func room(_ path: String) -> Int64? {
    var facts = statvfs()
    guard statvfs(path, &facts) == 0 else { return nil }
    return Int64(clamping: UInt64(facts.f_bavail) * UInt64(facts.f_frsize))
  }
}

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Folders that a program copies between machines, told by their names and by what it leaves in them.
enum CloudFolder {
  /// No more names of a folder are looked at.
  private static let limit = 10_000

  /// The service that has one of the folders on the way to a file: by the names of its path as it
  /// was given and without links, and by what lies in the folders.
  static func find(along path: String, and real: String) -> String? {
    for path in [path, real] {
      for name in path.split(separator: "/").dropLast() {
        if let service = service(named: String(name)) { return service }
      }
    }
    var folder = Substring(real)
    while let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) {
      folder = folder[..<slash]
      if let service = service(in: folder.isEmpty ? "/" : String(folder)) { return service }
    }
    return nil
  }

  /// By the name that the service's program gives to its folder.
  static func service(named name: String) -> String? {
    for (start, service) in names where name.hasPrefix(start) {
      // 'Dropbox (Work)', 'OneDrive - Firm', 'GoogleDrive-ada@example.org', but no 'Dropboxes'.
      guard let next = name.dropFirst(start.count).first else { return service }
      if !next.isLetter, !next.isNumber { return service }
    }
    return name.hasPrefix("iCloud~") || name.hasPrefix("com~apple~") ? "iCloud" : nil
  }

  private static let names: [(start: String, service: String)] = [
    ("Dropbox", "Dropbox"), ("OneDrive", "OneDrive"), ("Google Drive", "Google Drive"),
    ("GoogleDrive", "Google Drive"), ("iCloud Drive", "iCloud"), ("iCloudDrive", "iCloud"),
    ("Mobile Documents", "iCloud"), ("Nextcloud", "Nextcloud"), ("ownCloud", "ownCloud"),
    ("pCloud Drive", "pCloud"), ("pCloudDrive", "pCloud"), ("MEGAsync", "MEGA"),
    ("Proton Drive", "Proton Drive"), ("SynologyDrive", "Synology Drive"),
    ("Yandex.Disk", "Yandex Disk"), ("Box Sync", "Box"),
  ]

  /// By what the service's program leaves in its folder.
  private static func service(in path: String) -> String? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    for _ in 0..<limit {
      guard let entry = readdir(folder) else { return nil }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name.hasPrefix("."), let service = service(leaving: name) else { continue }
      // In a home folder, '.dropbox' is the folder of the program itself.
      if name == ".dropbox", !isFile("\(path)/\(name)") { continue }
      return service
    }
    return nil
  }

  static func service(leaving name: String) -> String? {
    switch name {
    case ".dropbox", ".dropbox.cache": "Dropbox"
    case ".nextcloudsync.log": "Nextcloud"
    case ".owncloudsync.log": "ownCloud"
    case ".stfolder": "Syncthing"
    case ".tmp.drivedownload", ".tmp.driveupload": "Google Drive"
    case ".SynologyWorkingDirectory": "Synology Drive"
    case ".megaignore": "MEGA"
    case ".849C9593-D756-4E56-8D6E-42412F2A707B": "OneDrive"
    default:
      name.hasSuffix(".db") && (name.hasPrefix(".sync_") || name.hasPrefix("._sync_"))
        ? "Nextcloud or ownCloud" : nil
    }
  }

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

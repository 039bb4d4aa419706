import SyncKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Why a file cannot be shared where it is.
///
/// SQLite keeps processes apart by locks and by memory that they share. Between machines neither
/// holds, and a program that copies files behind their backs copies half a transaction.
enum FileSystemCheck {
  /// Refuses a path that other machines reach, too.
  ///
  /// - Throws: ``SyncError`` `remote.unsuitable`.
  static func check(_ path: String, _ host: HostEnvironment) throws {
    guard let real = location(of: path) else { return }
    if let kind = host.fileSystem(real), isRemote(kind) {
      throw refusal(path, "is on a file system that other machines may also reach ('\(kind)')")
    }
    if let cloud = CloudFolder.find(along: path, and: real) {
      throw refusal(path, "is in a folder that \(cloud) copies between machines")
    }
  }

  private static func refusal(_ path: String, _ what: String) -> SyncError {
    SyncError(
      .remoteUnsuitable,
      "The file '\(path)' \(what); a SQLite file can be shared on one machine only.",
      hint: "There, use a folder as the remote, 'file:FOLDER'; or put the "
        + "file on a disk of this machine.")
  }

  /// The path without links, as far as it is there.
  private static func location(of path: String) -> String? {
    if let real = real(path) { return real }
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return real(folder).map { "\($0 == "/" ? "" : $0)\(path[slash...])" }
  }

  private static func real(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  /// Whether a kind of file system lies elsewhere, or may.
  static func isRemote(_ kind: String) -> Bool {
    let kind = kind.lowercased()
    // What runs as a program may do anything; those that work on a disk of this machine are known.
    if kind == "fuse" || kind == "osxfuse" || kind == "macfuse" { return true }
    if kind.hasPrefix("fuse.") { return !local.contains(String(kind.dropFirst(5))) }
    return remote.contains(kind)
  }

  /// Network and cluster file systems, and folders of the machine that runs a virtual one.
  private static let remote: Set<String> = [
    "nfs", "nfs3", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "afpfs", "afs", "auristorfs",
    "ncp", "ncpfs", "coda", "webdav", "davfs", "davfs2", "ftp", "9p", "v9fs", "drvfs", "virtiofs",
    "vboxsf", "vboxvfs", "vmhgfs", "prl_fs", "acfs", "ceph", "glusterfs", "lustre", "gfs", "gfs2",
    "ocfs2", "gpfs", "beegfs", "beegfs_nodev", "pvfs2", "orangefs", "panfs", "moosefs", "lizardfs",
  ]

  private static let local: Set<String> = [
    "apfs", "bindfs", "cryfs", "encfs", "exfat", "ext2", "fuse-ext2", "fuse-overlayfs", "gocryptfs",
    "lklfuse", "mergerfs", "ntfs", "ntfs-3g", "securefs", "unionfs", "unionfs-fuse", "zfs",
  ]
}

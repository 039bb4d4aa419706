import SyncKit
import Testing

@testable import SQLiteTransport

@Test(arguments: [
  "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "lustre", "gfs2", "vboxsf",
  "virtiofs",
  "fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.gvfsd-fuse", "fuse", "davfs", "afpfs",
])
func `a file on a file system of other machines is refused, with what to do`(
  kind: String
)
  async throws
{
  let place = try SharedPlace()
  do {
    _ = try await place.transport(fileSystem: kind).attach(
      SharedPlace.stranger(), domain: SharedPlace.domain)
    Issue.record("\(kind) was not refused")
  } catch let error as SyncError {
    #expect(error.code == .remoteUnsuitable && error.code.exit == 78)
    #expect(error.message.contains("'\(kind)'"))
    #expect(error.hint?.contains("file:FOLDER") == true)
  }
  #expect(place.mode() == nil, "the file was made")
}

@Test(arguments: [
  "ext4", "xfs", "btrfs", "zfs", "tmpfs", "overlay", "apfs", "hfs", "f2fs", "vfat", "exfat",
  "fuseblk",
  "fuse.ntfs-3g", "fuse.gocryptfs",
])
func `a file on a disk of this machine is fine`(kind: String) async throws {
  let place = try SharedPlace()
  let vault = try await place.transport(fileSystem: kind).attach(
    SharedPlace.stranger(), domain: SharedPlace.domain)
  #expect(vault == [SharedPlace.vault])
}

@Test func `the table of mounts tells which file system holds a path`() {
  let table = MountTable(
    """
    22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
    30 22 0:25 / /srv rw - nfs4 server:/srv rw
    31 30 254:2 / /srv/local rw,relatime shared:5 master:2 - xfs /dev/vdb rw
    32 22 0:30 / /home/ada/My\\040Drive rw - fuse.rclone drive: rw
    33 22 0:31 / /mnt rw - ext4 /dev/vdc rw
    34 33 0:32 / /mnt rw - cifs //server/share rw
    nonsense
    """)
  for (path, kind) in [
    ("/", "ext4"), ("/srv", "nfs4"), ("/srv/x.sqlite", "nfs4"), ("/srvx", "ext4"),
    ("/srv/local/x.sqlite", "xfs"), ("/home/ada/My Drive/x", "fuse.rclone"),
    ("/home/ada/x", "ext4"), ("/mnt/x", "cifs"),
  ] {
    #expect(table.fileSystem(of: path) == kind, "\(path)")
  }
}

@Test func `this machine says on which file system a path lies`() throws {
  let place = try SharedPlace()
  #expect(HostEnvironment.ofThisMachine.fileSystem(place.folder)?.isEmpty == false)
}

@Test(arguments: [
  "Dropbox", "Dropbox (Work)", "OneDrive", "OneDrive - Firm", "Google Drive",
  "GoogleDrive-ada@example.org", "iCloud~com~example", "Mobile Documents", "Nextcloud", "ownCloud",
  "pCloudDrive", "SynologyDrive",
])
func `a folder that bears a cloud drive's name is refused`(name: String) async throws {
  let place = try SharedPlace()
  place.run("mkdir -p '\(name)/below'")
  for folder in [name, "\(name)/below"] {
    let transport = SQLiteTransport(
      path: "\(place.folder)/\(folder)/x.sqlite", createIfParentExists: true)
    #expect(
      await code {
        _ = try await transport.attach(SharedPlace.stranger(), domain: SharedPlace.domain)
      } == .remoteUnsuitable)
  }
}

@Test(arguments: [
  "touch .dropbox", "mkdir .dropbox.cache", "touch .sync_1a2b3c.db", "touch ._sync_1a2b3c.db",
  "touch .nextcloudsync.log", "touch .owncloudsync.log", "mkdir .stfolder", "touch .stfolder",
  "mkdir .tmp.drivedownload", "mkdir .SynologyWorkingDirectory", "touch .megaignore",
])
func `a folder in which a cloud drive's program has left its mark is refused`(
  mark: String
)
  async throws
{
  let place = try SharedPlace()
  place.run("mkdir -p deep/er; \(mark)")
  let path = "\(place.folder)/deep/er/x.sqlite"
  let transport = SQLiteTransport(path: path, createIfParentExists: true)
  #expect(
    await code {
      _ = try await transport.attach(SharedPlace.stranger(), domain: SharedPlace.domain)
    } == .remoteUnsuitable)
}

@Test func `a link into a cloud drive's folder is refused, too`() async throws {
  let place = try SharedPlace()
  place.run("mkdir -p real; touch real/.dropbox; ln -s real innocent")
  let transport = SQLiteTransport(
    path: "\(place.folder)/innocent/x.sqlite", createIfParentExists: true)
  #expect(
    await code {
      _ = try await transport.attach(SharedPlace.stranger(), domain: SharedPlace.domain)
    } == .remoteUnsuitable)
}

@Test(arguments: [
  "mkdir .dropbox", "touch .sync.db", "mkdir Dropboxes", "mkdir nextcloud-data", "touch dropbox",
])
func `a mere resemblance is not a reason`(mark: String) async throws {
  let place = try SharedPlace()
  place.run(mark)
  #expect(try await place.attach() == [SharedPlace.vault])
}

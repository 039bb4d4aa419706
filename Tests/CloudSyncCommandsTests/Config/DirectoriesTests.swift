import LocalMachine
import CommandFoundation
import SyncKit
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

@testable import CloudSyncCommands

/// The folders, and the settings that decide them.
struct DirectoriesTests {
  private func directories(
    _ environment: [String: String], config: String? = nil, profile: String? = nil,
    home: String? = nil
  ) throws -> Directories {
    try Directories(
      Directories.Request(
        config: config, profile: profile, environment: environment, workingDirectory: "/here",
        recordedHome: { home }))
  }

  @Test func `without variables they are in the home folder`() throws {
    let found = try directories(["HOME": "/h"])
    #expect(found.config == "/h/.config/cloudsync")
    #expect(found.configFile == "/h/.config/cloudsync/config.yaml")
    #expect(found.dropIns == "/h/.config/cloudsync/conf.d")
    #expect(found.data == "/h/.local/share/cloudsync")
    #expect(found.state == "/h/.local/state/cloudsync")
    #expect(found.cache == "/h/.cache/cloudsync")
    #expect(found.runtime == found.state)
  }

  @Test func `XDG's variables move them`() throws {
    let found = try directories([
      "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s",
      "XDG_CACHE_HOME": "/k", "XDG_RUNTIME_DIR": "/r",
    ])
    #expect(found.config == "/c/cloudsync" && found.data == "/d/cloudsync")
    #expect(found.state == "/s/cloudsync" && found.cache == "/k/cloudsync")
    #expect(found.runtime == "/r/cloudsync")
  }

  @Test(arguments: ["", "relative", "./x", "~/x"])
  func `an XDG variable without an absolute path is ignored`(value: String) throws {
    #expect(
      try directories(["HOME": "/h", "XDG_DATA_HOME": value]).data == "/h/.local/share/cloudsync")
  }

  @Test func `systemd's variables override XDG's, the first of several counts`() throws {
    let found = try directories([
      "HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": "/k",
      "XDG_RUNTIME_DIR": "/r", "CONFIGURATION_DIRECTORY": "/etc/cs:/etc/other",
      "STATE_DIRECTORY": "/var/lib/cs", "CACHE_DIRECTORY": "/var/cache/cs",
      "RUNTIME_DIRECTORY": "/run/cs",
    ])
    #expect(found.config == "/etc/cs" && found.data == "/var/lib/cs")
    #expect(found.state == "/var/lib/cs/state" && found.cache == "/var/cache/cs")
    #expect(found.runtime == "/run/cs")
  }

  @Test func `our own variables override all others`() throws {
    let found = try directories([
      "HOME": "/h", "STATE_DIRECTORY": "/var/lib/cs", "CACHE_DIRECTORY": "/var/cache/cs",
      "CLOUDSYNC_DATA_DIR": "data", "CLOUDSYNC_STATE_DIR": "/s", "CLOUDSYNC_CACHE_DIR": "~/k",
      "CLOUDSYNC_CONFIG": "/c/my.yaml",
    ])
    #expect(found.data == "/here/data" && found.state == "/s" && found.cache == "/h/k")
    #expect(found.configFile == "/c/my.yaml" && found.isConfigFileNamed)
  }

  @Test func `a file on the command line overrides its variable`() throws {
    let found = try directories(["HOME": "/h", "CLOUDSYNC_CONFIG": "/c/my.yaml"], config: "a.yaml")
    #expect(found.configFile == "/here/a.yaml")
  }

  @Test func `a profile is a part of every folder`() throws {
    let found = try directories(["HOME": "/h", "CLOUDSYNC_CACHE_DIR": "/k"], profile: "office")
    #expect(found.configFile == "/h/.config/cloudsync/profiles/office/config.yaml")
    #expect(found.data == "/h/.local/share/cloudsync/profiles/office")
    #expect(found.cache == "/k/profiles/office")
    #expect(found.runtime == "/h/.local/state/cloudsync/profiles/office")
    let variable = try directories(["HOME": "/h", "CLOUDSYNC_PROFILE": "office"])
    #expect(variable == (try directories(["HOME": "/h"], profile: "office")))
  }

  @Test(arguments: [
    "", "..", ".", "a/b", "-x", "a b", "a.b", "\u{1B}[1m", String(repeating: "a", count: 65),
  ])
  func `a profile's name cannot leave its folder`(name: String) {
    let error = #expect(throws: SyncError.self) {
      try directories(["HOME": "/h"], profile: name)
    }
    #expect(error?.code == .usage)
    #expect(error?.message.contains("\u{1B}") == false)
  }

  @Test func `without HOME the password database is asked`() throws {
    #expect(try directories([:], home: "/pw").data == "/pw/.local/share/cloudsync")
    #expect(try directories(["HOME": ""], home: "/pw").cache == "/pw/.cache/cloudsync")
    let error = #expect(throws: SyncError.self) { try directories([:]) }
    #expect(error?.code == .configInvalid && error?.code.exit == 78)
  }

  @Test func `folders are 0700 and files 0600 whatever the umask`() throws {
    let folder = try TemporaryFolder()
    let old = umask(0)
    defer { umask(old) }
    try LocalFolder.create("\(folder.path)/a/b")
    try LocalFile.replace("\(folder.path)/a/b/c", with: [1])
    #expect(folder.mode(of: "a") == 0o700 && folder.mode(of: "a/b") == 0o700)
    #expect(folder.mode(of: "a/b/c") == 0o600)
  }

  @Test func `a replaced file leaves nothing else behind and keeps a link a link`() throws {
    let folder = try TemporaryFolder()
    try folder.write("old", to: "real")
    symlink("\(folder.path)/real", "\(folder.path)/link")
    try LocalFile.replace("\(folder.path)/link", with: Array("new".utf8))
    #expect(try folder.read("real") == "new")
    #expect(try LocalFolder.names(in: folder.path, ending: "") == ["link", "real"])
  }

  @Test(arguments: [
    ("/a/b", "/a"), ("/a", "/"), ("/", "/"), ("a", "."), ("a/b/", "a"), ("/a//b", "/a"), ("", "."),
  ])
  func `the folder of a path is found by its text`(path: String, folder: String) {
    #expect(LocalFolder.parent(of: path) == folder)
  }
}

import LocalMachine
import CommandFoundation
import SyncKitFormats
import SyncKit
import Testing

@testable import CloudSyncCommands

/// Where a remote is, as people type it and read it.
struct RemoteLocationTests {
  private let machine: TestMachine

  init() throws {
    machine = try TestMachine()
    try LocalFolder.create("\(machine.home.path)/here")
  }

  private func location(_ text: String) throws -> String {
    try RemoteURL(text, machine.context().directoryRequest).location.url
  }

  @Test(arguments: [
    ("/srv/cloudsync", "file:/srv/cloudsync"), ("/srv//a/./b/", "file:/srv/a/b"),
    ("~/Dropbox", "file:HOME/Dropbox"), ("~", "file:HOME"), ("./sync", "file:HOME/sync"),
    ("..", "file:HOME/.."), ("here", "file:HOME/here"), ("a/b", "file:HOME/a/b"),
    ("./a:b", "file:HOME/a:b"), ("file:~/Dropbox", "file:HOME/Dropbox"),
    ("sqlite:one.sqlite", "sqlite:HOME/one.sqlite"),
    ("https://sync.example.org", "https://sync.example.org"),
  ])
  func `a path is a folder, absolute from the home or from where one is`(
    _ text: String, _ url: String
  ) throws {
    #expect(
      try location(text) == url.replacing("HOME", with: machine.home.path))
  }

  @Test(arguments: [
    "sync.example.org", "https//sync.example.org", "sync.example.org/x", "Dropbox", "", "htp://x",
    "file:", "file://host/x",
  ])
  func `a word that is rather a mistyped URL is refused`(_ text: String) throws {
    let error = #expect(throws: SyncError.self) { try location(text) }
    #expect(error?.code == .usage && error?.hint?.contains("https://HOST") == true)
  }

  @Test func `a folder is added by its path, shown short, and told whole to programs`() async throws
  {
    #expect(
      await machine.run("init", "--yes", "--unencrypted", "--domains", "airports").status == 0)
    #expect(await machine.run("remote", "add", "--unencrypted", "r", "~/here/sync").status == 0)
    let list = await machine.run("remote", "list")
    #expect(list.output.contains("~/here/sync"), "\(list.output)")
    let document = await machine.run("remote", "list", "--json").document
    #expect(document["remotes"]?[0]?["url"]?.string == "file:\(machine.home.path)/here/sync")
    #expect(await machine.run("remote", "list", "--plain").output.contains("\tfile:/"))
    #expect(await machine.run("sync").status == 0)
  }

  @Test func `a folder whose parent is missing is no remote, by init and by add`() async throws {
    let made = await machine.run("init", "--yes", "--unencrypted", "--remote", "r=~/none/sync")
    #expect(made.status == 69, "\(made.error)")
    #expect(await machine.run("init", "--yes", "--unencrypted").status == 0)
    #expect(await machine.run("remote", "add", "--unencrypted", "r", "~/none/sync").status == 69)
    #expect(!LocalFolder.exists("\(machine.home.path)/none"))
  }
}

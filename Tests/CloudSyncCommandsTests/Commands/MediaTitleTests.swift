import LocalMachine
import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// Titles by their words, in every verb, and files as they come.
struct MediaTitleTests {
  private func machine() async throws -> TestMachine {
    let machine = try TestMachine()
    for words in [
      ["lists", "--add", "Weekend"], ["lists", "--add", "Winter"],
      ["add", "Paper Harbour", "--year", "2019", "--list", "Weekend"],
      ["add", "Quiet Hours", "--list", "Weekend"], ["add", "Quiet Hours", "--list", "Winter"],
    ] {
      let outcome = await machine.run(["media"] + words)
      #expect(outcome.status == 0, "\(outcome.error)")
    }
    return machine
  }

  @Test func `a list shows its titles, and a title itself`() async throws {
    let machine = try await machine()
    let list = await machine.run("media", "list", "Weekend").output
    #expect(list.contains("Paper Harbour") && list.contains("Quiet Hours"), "\(list)")
    let winter = await machine.run("media", "list", "Winter").output
    #expect(!winter.contains("Paper Harbour"), "\(winter)")
    let title = await machine.run("media", "show", "paper", "harbour")
    #expect(title.status == 0 && title.output.contains("Weekend"), "\(title.output)\(title.error)")
    let both = await machine.run("media", "show", "Quiet", "Hours")
    #expect(both.status == 0 && both.error.contains("in several lists"), "\(both.error)")
  }

  @Test func `what is in several lists goes only from the one that is named`() async throws {
    let machine = try await machine()
    let refused = await machine.run("media", "rm", "Quiet", "Hours", "--no-input")
    #expect(refused.status == 66 && refused.error.contains("Weekend, Winter"), "\(refused.error)")
    let gone = await machine.run("media", "rm", "Quiet", "Hours", "--list", "Winter")
    #expect(gone.status == 0, "\(gone.error)")
    #expect(await machine.run("media", "list", "Weekend").output.contains("Quiet Hours"))
    #expect(await machine.run("media", "rm", "Quiet", "Hours").status == 0)
    #expect(await machine.run("media", "show", "Quiet", "Hours").status == 66)
  }

  @Test func `a folder is imported like the archive that was unpacked to it`() async throws {
    let machine = try TestMachine()
    let folder = machine.home.path + "/letterboxd"
    try LocalFolder.create(folder)
    for (name, film) in [("watched.csv", "Paper Harbour"), ("watchlist.csv", "Nine Lamps")] {
      let text = "Date,Name,Year,Letterboxd URI\n2026-01-10,\(film),2019,https://boxd.it/a\(name)\n"
      try LocalFile.replace("\(folder)/\(name)", with: Array(text.utf8))
    }
    let outcome = await machine.run("media", "import", folder)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(await machine.run("media", "list", "Watchlist").output.contains("Nine Lamps"))
    let again = await machine.run("media", "import", folder, "--json")
    #expect(again.document["added"] == 0, "\(again.output)")
    let other = await machine.run("airports", "import", folder)
    #expect(other.status == 65, "\(other.error)")
  }
}

import LocalMachine
import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// Files that a cloud drive has not downloaded yet.
struct PlaceholderTests {
  private let folder: TemporaryFolder
  private let author: TestMachine
  private let reader: TestMachine

  init() throws {
    folder = try TemporaryFolder()
    (author, reader) = (try TestMachine(), try TestMachine())
    for machine in [author, reader] { machine.clock.advance(by: 1_800_000_000_000) }
  }

  private func setUp() async throws -> String {
    let remote = "folder=file:\(folder.path)/remote"
    for machine in [author, reader] {
      let made = await machine.run(
        "init", "--yes", "--unencrypted", "--domains", "airports", "--remote", remote)
      #expect(made.status == 0, "\(made.error)")
    }
    #expect(await author.run("airports", "add", "JFK", "KJFK").status == 0)
    #expect(await author.run("sync").status == 0)
    return try #require(folder.segments(in: "remote/airports").first)
  }

  /// Replaces a segment with a placeholder; the segment is set aside.
  private func evict(_ segment: String, as kind: String) throws -> String {
    let name = String(segment.split(separator: "/").last ?? "")
    let standIn =
      LocalFolder.parent(of: segment) + "/" + kind.replacing("NAME", with: name)
    try LocalFile.move(segment, to: "\(folder.path)/aside")
    try LocalFile.replace(standIn, with: kind == "NAME" ? [] : Array("placeholder".utf8))
    return standIn
  }

  @Test(arguments: [
    ".NAME.icloud", "NAME", "NAME.nextcloud", "NAME.owncloud", "NAME.rslsf", ".syncthing.NAME.tmp",
    "~syncthing~NAME.tmp", "NAME.partial",
  ])
  func `a device that lacks it waits, says so, and reports no damage`(_ kind: String) async throws {
    let segment = try await setUp()
    let standIn = try evict(segment, as: kind)
    let sync = await reader.run("sync", "--json")
    #expect(sync.status == 0, "\(sync.error)")
    let waiting = try #require(sync.document["jobs"]?[0]?["waiting"]?.int)
    #expect(waiting > 0)
    let status = await reader.run("status", "--json").document
    let row = status["domains"]?[0]
    #expect(row?["state"] == "waiting" && row?["waiting"]?.int == waiting)
    #expect(row?["remotes"]?[0]?["waiting"]?.int == waiting)
    #expect(try Schemas.problems(in: status, by: "status").isEmpty)
    #expect(await reader.run("status", "--check").status == 2)
    let table = await reader.run("status").output
    #expect(table.contains("waiting"), "\(table)")
    let test = await reader.run("remote", "test", "folder")
    #expect(test.status == 0 && test.error.contains("not arrived yet"), "\(test.error)")
    let doctor = await reader.run("doctor", "--quiet")
    #expect(doctor.status == 0 && doctor.output.contains("not arrived yet"), "\(doctor.output)")

    for repair in [[], ["--repair"]] {
      let verify = await reader.run(["verify", "--remotes"] + repair)
      #expect(verify.status == 0, "\(verify.error)")
      #expect(verify.error.contains("not here yet"), "\(verify.error)")
      let text = verify.output + verify.error
      #expect(!text.contains("--repair") && !text.contains("damaged"), "\(text)")
    }
    let found = await reader.run("verify", "--remotes", "--json").document["remotes"]?[0]
    #expect(found?["awaited"]?.array?.count == 1 && found?["damaged"]?.array?.isEmpty == true)

    // A sync that only sends has not checked, and knows nothing new.
    #expect(await reader.run("sync", "--push-only").status == 0)
    #expect(await reader.run("status", "--json").document["domains"]?[0]?["state"] == "waiting")
    // After a day it is a failure for both.
    reader.clock.advance(by: 25 * 3_600_000)
    for words in [["sync"], ["verify", "--remotes"]] {
      let late = await reader.run(words + ["--json"])
      #expect(late.status == 75 && late.failure["code"] == "remote.waiting", "\(late.error)")
    }
    #expect(await reader.run("doctor").status == 1)

    try LocalFile.remove(standIn)
    try LocalFile.move("\(folder.path)/aside", to: segment)
    #expect(await reader.run("sync").status == 0)
    #expect(await reader.run("status", "--json").document["domains"]?[0]?["state"] == "upToDate")
    #expect(await reader.run("status", "--check").status == 0)
    #expect(await reader.run("doctor").status == 0)
  }

  @Test func `a device that has it waits for nothing, and does not upload it again`() async throws {
    let segment = try await setUp()
    #expect(await reader.run("sync").status == 0)
    let standIn = try evict(segment, as: ".NAME.icloud")
    for machine in [author, reader] {
      #expect(await machine.run("sync", "--json").document["jobs"]?[0]?["pushed"] == 0)
      #expect(await machine.run("status", "--check").status == 0)
      let verify = await machine.run("verify", "--remotes")
      #expect(verify.status == 0 && verify.error.contains("not here yet"), "\(verify.error)")
      machine.clock.advance(by: 25 * 3_600_000)
      #expect(await machine.run("verify", "--remotes").status == 0)
    }
    // A file on its way may never arrive, and counts for nothing.
    try LocalFile.move(standIn, to: "\(segment).partial")
    #expect(await author.run("sync").status == 0)
    #expect(FileSignature(segment) != nil)
  }

  @Test func `a file that is not a segment's placeholder is not waited for`() async throws {
    let segment = try await setUp()
    let folder = LocalFolder.parent(of: segment)
    for name in [".DS_Store.icloud", "notes.tmp", "._\(segment.split(separator: "/").last ?? "")"] {
      try LocalFile.replace("\(folder)/\(name)", with: Array("something else".utf8))
    }
    #expect(await reader.run("sync").status == 0)
    #expect(await reader.run("status", "--json").document["domains"]?[0]?["state"] == "upToDate")
  }

  @Test func `a failing run does not forget awaited files`() async throws {
    let segment = try await setUp()
    _ = try evict(segment, as: ".NAME.icloud")
    #expect(await reader.run("sync").status == 0)
    reader.clock.advance(by: 20 * 3_600_000)
    try LocalFile.move("\(folder.path)/remote", to: "\(folder.path)/away")
    #expect(await reader.run("sync").status == 69)
    try LocalFile.move("\(folder.path)/away", to: "\(folder.path)/remote")
    reader.clock.advance(by: 5 * 3_600_000)
    #expect(await reader.run("sync").status == 75)
  }
}

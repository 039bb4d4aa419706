import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// The help pages that are not about a single command.
struct HelpTopicTests {
  @Test(arguments: HelpTopic.all.map(\.name), OutputFormat.allCases)
  func `each prints in every format`(topic: String, format: OutputFormat) async throws {
    let outcome = try await TestMachine().run("help", topic, "--output", format.rawValue)
    #expect(outcome.status == 0 && outcome.error.isEmpty)
    #expect(outcome.output.hasSuffix("\n"))
  }

  @Test func `the root's help names each`() async throws {
    let help = try await TestMachine().run("help").output
    for topic in HelpTopic.all { #expect(help.contains(topic.name)) }
  }

  @Test func `exit codes are a table for programs too`() async throws {
    let document = try await TestMachine().run("help", "exit-codes", "--json").document
    let records = try #require(document["records"]?.array)
    #expect(
      records.contains {
        $0["status"]?.int == 69 && $0["code"]?.string == "remote.unavailable"
          && $0["retry"]?.string == "yes"
      })
    #expect(records.contains { $0["status"]?.int == 143 && $0["name"]?.string == "terminated" })
  }

  @Test func `every key of the configuration is on its page`() async throws {
    let page = try await TestMachine().run("help", "config", "--plain").output
    for key in [
      "remotes.NAME.token", "domains.NAME.rebase.NAME", "jobs.NAME.every", "server.listen",
    ] {
      #expect(page.contains("\(key)\t"))
    }
  }

  @Test func `every variable is on its page`() async throws {
    let page = try await TestMachine().run("help", "environment", "--plain").output
    for name in [
      "CLOUDSYNC_PROFILE", "CLOUDSYNC_DEFAULTS_STALE_AFTER", "CLOUDSYNC_JOBS_NAME_EVERY",
    ] {
      #expect(page.contains("\(name)\t"))
    }
    #expect(!page.contains("CLOUDSYNC_VERSION"))
  }

  @Test func `directories are those in force`() async throws {
    var machine = try TestMachine()
    machine.environment["CLOUDSYNC_DATA_DIR"] = "/elsewhere"
    let page = await machine.run("help", "directories", "--profile", "work", "--plain").output
    #expect(page.contains("data\t/elsewhere/profiles/work\t"))
  }

  @Test func `every document on the page of formats has a schema`() throws {
    for (document, _) in HelpTopic.documents {
      #expect(try !Schemas.text(Schemas.name(of: document)).isEmpty)
    }
  }
}

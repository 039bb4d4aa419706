import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// The output of the `config` commands.
struct ConfigCommandTests {
  private func machine() throws -> TestMachine {
    try TestMachine(configuration: ConfigurationTests.example)
  }

  @Test func `path prints the file, whether it exists or not`() async throws {
    let machine = try TestMachine()
    #expect(await machine.run("config", "path").output == machine.configuration + "\n")
    let document = await machine.run("config", "path", "--profile", "office", "--json").document
    #expect(document["schema"]?.string == "cloudsync.config/1")
    #expect(document["path"]?.string?.hasSuffix("/cloudsync/profiles/office/config.yaml") == true)
  }

  @Test func `show prints the settings that were made`() async throws {
    let outcome = try await machine().run("config", "show", "--plain")
    #expect(outcome.output.contains("domains.airports.debounce\t2s\n"))
    #expect(outcome.output.contains("jobs.quick.domains\tairports, settings, media, bike\n"))
    #expect(!outcome.output.contains("domains.bike.layout"))
  }

  @Test func `show --resolved prints defaults and every origin`() async throws {
    let machine = try machine()
    let outcome = await machine.run("config", "show", "--resolved", "--output", "csv")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.first == "key,value,origin")
    #expect(lines.contains("domains.bike.layout,segments,default"))
    #expect(lines.contains("device.name,laptop,\(machine.configuration):2:17"))
  }

  @Test(arguments: ["table", "plain", "json", "jsonl", "csv"])
  func `the source of a secret is never shown`(format: String) async throws {
    let outcome = try await machine().run("config", "show", "--resolved", "--output", format)
    #expect(outcome.status == 0)
    #expect(!outcome.output.contains("pass") && !outcome.output.contains("hc-url"))
    #expect(outcome.output.contains("hidden"))
  }

  @Test func `get prints one value and nothing else`() async throws {
    let machine = try machine()
    #expect(await machine.run("config", "get", "domains.media.layout").output == "document\n")
    #expect(await machine.run("config", "get", "defaults.poll", "--plain").output == "30s\n")
    let record = await machine.run("config", "get", "jobs.nightly.every", "--output", "jsonl")
    #expect(record.document["value"]?.string == "1d")
  }

  @Test func `get of a section prints its content`() async throws {
    let outcome = try await machine().run("config", "get", "device")
    #expect(outcome.output == "key          value\ndevice.name  laptop\n")
  }

  @Test func `get of a setting without value is 66, of an unknown setting 64`() async throws {
    let machine = try TestMachine()
    #expect(await machine.run("config", "get", "device.name").status == 66)
    let typo = await machine.run("config", "get", "defaults.pol")
    #expect(typo.status == 64)
    #expect(typo.error.contains("did you mean 'defaults.poll'?"))
  }

  @Test func `validate prints nothing to standard output for a valid configuration`() async throws {
    let outcome = try await machine().run("config", "validate")
    #expect(outcome.status == 0 && outcome.output.isEmpty)
    #expect(outcome.error.contains("the configuration is valid"))
    #expect(try await machine().run("config", "validate", "-q").error.isEmpty)
  }

  @Test func `schema prints the schema that is shipped`() async throws {
    let outcome = try await machine().run("config", "schema")
    #expect(outcome.document == (try Schemas.document("config-file")))
    #expect(try Schemas.text("config-file") == outcome.output)
  }
}

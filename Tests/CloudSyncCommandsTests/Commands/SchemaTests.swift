import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// The shipped schemas, and output that conforms to them.
struct SchemaTests {
  @Test func `each is a schema of the agreed draft with a title and a description`() throws {
    let names = try Schemas.names
    #expect(names.count >= 12)
    for name in names {
      let schema = try Schemas.document(name)
      #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
      #expect(schema["$id"]?.string?.hasSuffix("/schemas/\(name).schema.json") == true)
      #expect(schema["title"]?.string?.isEmpty == false)
    }
  }

  @Test func `new keys may appear in every document`() throws {
    for name in try Schemas.names where name != "config-file" {
      #expect(!(try Schemas.text(name)).contains("\"additionalProperties\": false"))
    }
  }

  @Test func `each document's schema begins with its own name`() throws {
    for (document, _) in HelpTopic.documents where document.hasSuffix("/1") {
      let name = Schemas.name(of: document)
      let schema = try Schemas.document(name)
      #expect(schema["required"]?.array?.contains("schema") == true)
      let own = schema["properties"]?["schema"]
      #expect(own?["const"]?.string == "cloudsync.\(name)/1" || own?["pattern"] != nil)
    }
  }

  @Test(arguments: [
    ("config", ["config", "path"]), ("config", ["config", "show", "--resolved"]),
    ("config", ["config", "get", "domains"]), ("config", ["config", "validate"]),
    ("config", ["config", "set", "device.name", "x", "-n"]), ("version", ["version"]),
    ("help", ["help", "exit-codes"]), ("help", ["help", "config"]), ("help", ["help", "formats"]),
  ])
  func `output conforms to its schema`(name: String, arguments: [String]) async throws {
    let machine = try TestMachine(configuration: ConfigurationTests.example)
    let outcome = await machine.run(arguments + ["--json"])
    #expect(outcome.status == 0)
    #expect(try Schemas.problems(in: outcome.document, by: name).isEmpty)
  }

  @Test func `problems of a configuration keep to it as well`() async throws {
    var machine = try TestMachine(configuration: "verson: 1\n")
    machine.environment["CLOUDSYNC_DEFAULTS_POL"] = "1s"
    let outcome = await machine.run("config", "validate", "--json")
    #expect(outcome.document["problems"]?.array?.count == 2)
    #expect(try Schemas.problems(in: outcome.document, by: "config").isEmpty)
  }

  @Test func `the check itself finds errors`() throws {
    let wrong: JSON = [
      "schema": "cloudsync.error/2", "code": 1, "exit": "1", "message": "", "hint": nil,
      "retryable": true,
    ]
    #expect(try Schemas.problems(in: wrong, by: "error").count == 4)
  }
}

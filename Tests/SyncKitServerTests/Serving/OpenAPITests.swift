import SyncKitFormats
import HTTPTypes
import Testing

@testable import SyncKitServer

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// That the description of the server is the server's, and is shipped as it is served.
struct OpenAPITests {
  private let document = OpenAPIDocument.json

  @Test func `every route is described, and nothing else`() {
    var described: Set<String> = []
    for (path, item) in document["paths"]?.object?.members ?? [] {
      for method in item.object?.keys ?? [] { described.insert("\(method.uppercased()) \(path)") }
    }
    let routes = Set(ServerRoutes.table.map { "\($0.method.rawValue) \($0.path)" })
    #expect(described == routes, "they differ in \(described.symmetricDifference(routes))")
    #expect(routes.count == ServerRoutes.table.count)
  }

  @Test func `no two operations have one name`() {
    var names: [String] = []
    for (_, item) in document["paths"]?.object?.members ?? [] {
      for (_, operation) in item.object?.members ?? [] {
        names.append(operation["operationId"]?.string ?? "")
      }
    }
    #expect(Set(names).count == names.count, "\(names.sorted())")
  }

  @Test func `every reference leads somewhere, and every schema is used`() {
    var used: Set<String> = []
    func follow(_ value: JSON) {
      if let reference = value["$ref"]?.string { used.insert(reference) }
      for (_, inner) in value.object?.members ?? [] { follow(inner) }
      for inner in value.array ?? [] { follow(inner) }
    }
    follow(document)
    let schemas = document["components"]?["schemas"]?.object?.keys ?? []
    let there = Set(schemas.map { "#/components/schemas/\($0)" })
    let missing = used.filter { $0.hasPrefix("#/components/schemas/") }.subtracting(there)
    #expect(missing.isEmpty, "these are not there: \(missing.sorted())")
    #expect(
      there.subtracting(used).isEmpty, "no operation uses \(there.subtracting(used).sorted())")
  }

  @Test func `each message has an example that its schema allows`() throws {
    let schemas = try #require(document["components"]?["schemas"]?.object)
    for (name, schema) in schemas.members where !Self.partsOnly.contains(name) {
      let example = try #require(OpenAPIExamples.example(name), "\(name) has no example")
      #expect(problem(example, schema, name) == nil)
    }
    for name in OpenAPIExamples.all.keys { #expect(schemas[name] != nil, "\(name)") }
  }

  /// Schemas that are no message by themselves, or are described elsewhere.
  private static let partsOnly: Set<String> = [
    "Account", "Description", "ErasureConfirmations", "FeedEntry", "GivenRole", "Refusal",
    "StoreResult", "TokenScope", "ZoneRole",
  ]

  /// What an example breaks of a schema; nil for nothing.
  private func problem(_ value: JSON, _ schema: JSON, _ place: String) -> String? {
    if let reference = schema["$ref"]?.string, let name = reference.split(separator: "/").last {
      let target = document["components"]?["schemas"]?[String(name)] ?? .null
      return problem(value, target, place)
    }
    if let allowed = schema["enum"]?.array, !allowed.contains(value) { return "\(place): enum" }
    switch schema["type"]?.string {
    case "object":
      guard let object = value.object else { return "\(place): no object" }
      for key in schema["required"]?.array ?? [] where object[key.string ?? ""] == nil {
        return "\(place) lacks \(key)"
      }
      for (key, member) in object.members {
        guard let inner = schema["properties"]?[key] else { return "\(place) has \(key)" }
        if let found = problem(member, inner, "\(place).\(key)") { return found }
      }
    case "array":
      guard let elements = value.array else { return "\(place): no array" }
      for element in elements {
        if let found = problem(element, schema["items"] ?? .null, "\(place)[]") { return found }
      }
    case "integer": return value.int == nil ? "\(place): no integer" : nil
    case "boolean": return value.bool == nil ? "\(place): no boolean" : nil
    case "string": return value.string == nil ? "\(place): no string" : nil
    default: break
    }
    return nil
  }

  @Test func `what needs a token says so`() {
    for route in ServerRoutes.table {
      let operation = document["paths"]?[route.path]?[route.method.rawValue.lowercased()]
      let needs = operation?["security"]?.array?.isEmpty == false
      #expect(needs == (route.scope != nil), "\(route.method.rawValue) \(route.path)")
    }
  }

  /// The variable CLOUDSYNC_WRITE_OPENAPI, set to anything, has the test write the file again.
  @Test func `the file in the documentation is the one that is served`() throws {
    let path = "\(Self.root)/Documentation/Formats/openapi.json"
    let text = document.text(pretty: true) + "\n"
    if getenv("CLOUDSYNC_WRITE_OPENAPI") != nil {
      let file = try #require(fopen(path, "w"))
      fputs(text, file)
      fclose(file)
    }
    let file = try #require(fopen(path, "r"), "there is no \(path)")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes += chunk.prefix(count)
    }
    #expect(String(decoding: bytes, as: UTF8.self) == text, "write it again")
  }

  private static let root: String = {
    var parts = #filePath.split(separator: "/")
    parts.removeLast(4)
    return "/" + parts.joined(separator: "/")
  }()
}

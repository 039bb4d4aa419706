import LocalMachine
import CommandFoundation
import SyncKitFormats

@testable import CloudSyncCommands

/// The shipped JSON Schemas, and a check of documents against them.
///
/// It supports what these schemas use: types, required keys, constants, choices, patterns, items and references.
enum Schemas {
  private static let folder: String = {
    let tests = LocalFolder.parent(of: LocalFolder.parent(of: #filePath))
    return LocalFolder.path(LocalFolder.parent(of: LocalFolder.parent(of: tests)), "Schemas")
  }()

  static var names: [String] {
    get throws {
      try LocalFolder.names(in: folder, ending: ".schema.json").map { String($0.dropLast(12)) }
    }
  }

  static func text(_ name: String) throws -> String {
    let path = LocalFolder.path(folder, "\(name).schema.json")
    return String(decoding: try LocalFile.read(path, limit: 1 << 20), as: UTF8.self)
  }

  static func document(_ name: String) throws -> JSON { try JSON(parsing: text(name)) }

  /// The schema for a document's name.
  static func name(of document: String) -> String {
    switch document {
    case "cloudsync.<domain>.<verb>/1": "write"
    case _ where document.hasPrefix("cloudsync.<domain>."):
      "airports." + document.dropFirst("cloudsync.<domain>.".count).prefix { $0 != "/" }
    default:
      document.hasPrefix("cloudsync.")
        ? String(document.dropFirst("cloudsync.".count).prefix { $0 != "/" }) : document
    }
  }

  /// The violations of a schema in a document, each with its place.
  static func problems(in value: JSON, by name: String) throws -> [String] {
    let root = try document(name)
    return try check(value, root, root, "")
  }

  private static func check(
    _ value: JSON, _ schema: JSON, _ root: JSON, _ place: String
  ) throws -> [String] {
    if let reference = schema["$ref"]?.string { return try follow(reference, value, root, place) }
    var problems: [String] = []
    if let constant = schema["const"], constant != value {
      problems.append("\(place): not \(constant)")
    }
    if let choices = schema["enum"]?.array, !choices.contains(value) {
      problems.append("\(place): none of \(choices)")
    }
    if let pattern = schema["pattern"]?.string, let text = value.string,
      try Regex(pattern).firstMatch(in: text) == nil
    {
      problems.append("\(place): not of the form \(pattern)")
    }
    if let type = schema["type"] {
      let types = type.array?.compactMap(\.string) ?? [type.string ?? ""]
      if !types.contains(where: { fits(value, $0) }) { problems.append("\(place): no \(types)") }
    }
    for key in schema["required"]?.array?.compactMap(\.string) ?? [] where value.object != nil {
      if value[key] == nil { problems.append("\(place): \(key) is missing") }
    }
    for (key, inner) in value.object?.members ?? [] {
      guard let schema = schema["properties"]?[key] ?? schema["additionalProperties"] else {
        continue
      }
      if schema == .bool(false) {
        problems.append("\(place)/\(key): not allowed")
      } else if schema.object != nil {
        problems += try check(inner, schema, root, "\(place)/\(key)")
      }
    }
    if let items = schema["items"] {
      for (index, item) in (value.array ?? []).enumerated() {
        problems += try check(item, items, root, "\(place)/\(index)")
      }
    }
    return problems
  }

  private static func follow(
    _ reference: String, _ value: JSON, _ root: JSON, _ place: String
  ) throws -> [String] {
    if reference.hasPrefix("#/$defs/") {
      guard let schema = root["$defs"]?[String(reference.dropFirst(8))] else {
        return ["\(place): \(reference) leads nowhere"]
      }
      return try check(value, schema, root, place)
    }
    let other = try document(String(reference.dropLast(12)))
    return try check(value, other, other, place)
  }

  private static func fits(_ value: JSON, _ type: String) -> Bool {
    switch type {
    case "null": value.isNull
    case "boolean": value.bool != nil
    case "integer": value.int != nil
    case "number": value.double != nil
    case "string": value.string != nil
    case "array": value.array != nil
    case "object": value.object != nil
    default: false
    }
  }
}

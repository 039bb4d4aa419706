import SyncKitFormats

extension ConfigSchema {
  /// The table of keys as a JSON Schema (draft 2020-12), which editors check YAML with too.
  package static var jsonSchema: JSONObject {
    var schema: JSONObject = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "https://cloudsync.example/schemas/config-file.schema.json",
      "title": "The configuration of cloudsync",
    ]
    for (key, value) in object(root).members { schema[key] = value }
    schema["$defs"] = ["secret": .object(secretSchema)]
    return schema
  }

  private static func schema(_ type: ConfigType) -> JSONObject {
    switch type {
    case .text, .path, .proxy, .name(of: .remote), .name(of: .job), .name(of: .hook),
      .name(of: .group), .name(of: .file):
      ["type": "string", "minLength": 1]
    case .name(of: .domain): ["enum": .array(domains.map { .string($0) })]
    case .url: ["type": "string", "pattern": "^[hH][tT][tT][pP][sS]?://"]
    case .fingerprint: ["type": "string", "pattern": "^[0-9A-Fa-f:]{64,95}$"]
    case .address: ["type": "string", "pattern": "^unix:/|:[0-9]+$"]
    case .flag: ["type": "boolean"]
    case .whole(let range):
      [
        "type": "integer", "minimum": .int(Int64(range.lowerBound)),
        "maximum": .int(Int64(range.upperBound)),
      ]
    case .duration:
      ["type": "string", "pattern": "^([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$"]
    case .percent: ["type": "string", "pattern": "^[0-9]{1,3}(\\.[0-9]{1,2})?%$"]
    case .bytes:
      [
        "type": ["string", "integer"], "minimum": 1,
        "pattern": "^[0-9]+(B|kB|MB|GB|TB|KiB|MiB|GiB|TiB)?$",
      ]
    case .choice(let values): ["enum": .array(values.map { .string($0) })]
    case .list(let element):
      ["type": "array", "items": .object(schema(element)), "minItems": 1]
    case .secret(let orText):
      orText
        ? ["anyOf": [["$ref": "#/$defs/secret"], ["type": "string", "minLength": 1]]]
        : ["$ref": "#/$defs/secret"]
    case .map(let map): object(map)
    case .any: [:]
    case .named(let type, let kind):
      [
        "type": "object",
        "propertyNames": kind == .domain
          ? ["enum": .array(domains.map { .string($0) })]
          : ["pattern": "^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$"],
        "additionalProperties": .object(schema(type)),
      ]
    }
  }

  private static func object(_ map: ConfigMap) -> JSONObject {
    var properties = JSONObject()
    for key in map.keys { properties[key.name] = .object(described(key)) }
    var object: JSONObject = [
      "type": "object", "properties": .object(properties), "additionalProperties": false,
    ]
    let required = map.keys.filter { $0.isRequired && $0.only.isEmpty }
    if !required.isEmpty { object["required"] = .array(required.map { .string($0.name) }) }
    if let discriminator = map.discriminator, case .choice(let kinds)? = map[discriminator]?.type {
      object["allOf"] = .array(kinds.map { .object(variant($0, of: map, by: discriminator)) })
    }
    if map.alternatives.count == 2 {
      object["not"] = ["required": .array(map.alternatives.map { .string($0) })]
    }
    return object
  }

  /// What holds for one kind of a map: which keys it needs, and which are not for it.
  private static func variant(
    _ kind: String, of map: ConfigMap, by discriminator: String
  ) -> JSONObject {
    let needed = map.keys.filter { $0.isRequired && $0.only.contains(kind) }
    let foreign = map.keys.filter { !$0.only.isEmpty && !$0.only.contains(kind) }
    var then = JSONObject()
    if !needed.isEmpty { then["required"] = .array(needed.map { .string($0.name) }) }
    if !foreign.isEmpty {
      then["properties"] = .object(JSONObject(foreign.map { ($0.name, JSON.bool(false)) }))
    }
    let condition: JSON = [
      "properties": .object([discriminator: ["const": .string(kind)]]),
      "required": [.string(discriminator)],
    ]
    return ["if": condition, "then": .object(then)]
  }

  private static func described(_ key: ConfigKey) -> JSONObject {
    var schema = schema(key.type)
    schema["description"] = .string(key.summary)
    if let fallback = key.fallback { schema["default"] = defaultValue(fallback, key.type) }
    return schema
  }

  private static func defaultValue(_ text: String, _ type: ConfigType) -> JSON {
    switch type {
    case .flag: .bool(text == "true")
    case .whole: ConfigText.whole(text).map { .int(Int64($0)) } ?? .string(text)
    case .list(let element):
      .array(
        ((try? ConfigValue.node(text, type, from: .builtIn))?.items ?? []).map {
          defaultValue($0.text ?? "", element)
        })
    default: .string(text)
    }
  }

  /// A map with exactly one of the sources of a secret.
  private static var secretSchema: JSONObject {
    var schema = object(secret)
    schema["minProperties"] = 1
    schema["maxProperties"] = 1
    return schema
  }
}

import SyncKitText
import HTTPTypes
import SyncWire

/// The description of a server for other people's programs, made from the table of routes.
///
/// Source: [OpenAPI 3.1.1](https://spec.openapis.org/oas/v3.1.1.html).
public enum OpenAPIDocument {
  /// The whole document; the same for every server of this version.
  public static let json: JSON = [
    "openapi": "3.1.0",
    "info": [
      "title": "cloudsync server",
      "version": .string("\(WireProtocol.version)"),
      "summary": "The protocol between devices and a server.",
      "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
    ],
    "servers": [["url": "/"]],
    "paths": .object(paths(ServerRoutes.table)),
    "components": [
      "schemas": .object(JSONObject(OpenAPISchemas.all.map { ($0.name, $0.schema) })),
      "securitySchemes": [
        "token": [
          "type": "http", "scheme": "bearer",
          "description": "A token of an account; each operation names the scope it needs.",
        ]
      ],
      "responses": [
        "Error": [
          "description": "Refused; the body says why.",
          "headers": headers,
          "content": content("Error"),
        ]
      ],
    ],
  ]

  private static let headers: JSON = [
    WireProtocol.header: [
      "description": "The version of the protocol.", "required": true,
      "schema": ["type": "string", "const": .string("\(WireProtocol.version)")],
    ]
  ]

  private static func paths(_ table: [ServerRoute]) -> JSONObject {
    var paths = JSONObject()
    for route in table {
      var item = paths[route.path]?.object ?? JSONObject()
      item[route.method.rawValue.lowercased()] = .object(operation(route))
      paths[route.path] = .object(item)
    }
    return paths
  }

  private static func operation(_ route: ServerRoute) -> JSONObject {
    var operation: JSONObject = [
      "summary": .string(route.summary), "operationId": .string(name(of: route)),
    ]
    if let scope = route.scope {
      operation["description"] = .string("The token needs the scope '\(scope.rawValue)'.")
      operation["security"] = [["token": []]]
    } else {
      operation["security"] = []
    }
    let parameters = route.parameters.map(parameter) + queries(of: route)
    if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
    if let body = requestBody(of: route) { operation["requestBody"] = body }
    operation["responses"] = .object(responses(of: route))
    return operation
  }

  /// A name for generated programs: `postDomainsSegmentsFetch`.
  private static func name(of route: ServerRoute) -> String {
    let words = route.path.split(separator: "/").filter { $0 != "v1" }.map { part in
      part.filter { $0.isLetter }
    }
    return route.method.rawValue.lowercased()
      + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  private static func parameter(_ name: String) -> JSON {
    let schema: JSON =
      switch name {
      case "domain", "zone": OpenAPISchemas.folder
      case "cursor": OpenAPISchemas.cursor
      case "root": OpenAPISchemas.uuid
      default: OpenAPISchemas.device
      }
    return ["name": .string(name), "in": "path", "required": true, "schema": schema]
  }

  private static func queries(of route: ServerRoute) -> [JSON] {
    func query(_ name: String, _ schema: JSON, _ what: String, _ example: JSON) -> JSON {
      [
        "name": .string(name), "in": "query", "required": false, "schema": schema,
        "description": .string(what), "example": example,
      ]
    }
    let count: JSON = ["type": "integer", "minimum": 0, "maximum": .int(.max), "default": 0]
    func limit(_ usual: Int, _ most: Int, _ example: JSON) -> JSON {
      query(
        "limit",
        ["type": "integer", "minimum": 1, "maximum": .int(.max), "default": .int(Int64(usual))],
        "The most entries to return; a page has at most \(most).", example)
    }
    switch route.path {
    case "/v1/audit": return [limit(100, 1_000, 20)]
    case "/v1/domains/{domain}/feed":
      return [
        query(
          "epoch", ["type": "string"],
          "The epoch of the previous page; without it, or with an unknown one, the page begins at the start and 'continues' is false.",
          "q7m5w3xkd4jv2"),
        query(
          "after", count,
          "The cursor of the previous page; it is ignored without an epoch.", 812),
        query(
          "inside", ["type": "string"],
          "The value of 'inside' on the previous page, if it has one.", "3-790"),
        limit(WireProtocol.pageCount, WireProtocol.pageCount, 500),
      ]
    default: return []
    }
  }

  private static func requestBody(of route: ServerRoute) -> JSON? {
    guard let name = route.takes else { return nil }
    return ["required": true, "content": content(name)]
  }

  private static func responses(of route: ServerRoute) -> JSONObject {
    var responses = JSONObject()
    for (status, name) in route.gives.sorted(by: { $0.key < $1.key }) {
      var response: JSONObject = [
        "description": .string(description(status, name)), "headers": headers,
      ]
      if let name { response["content"] = content(name) }
      responses["\(status)"] = .object(response)
    }
    var refusals = [400, 408, 413, 415, 429, 500, 503]
    if route.scope != nil { refusals += [401, 403, 422] }
    if !route.parameters.isEmpty || route.body != .none {
      refusals += [404, 409, 410, 422, 426, 507]
    }
    for status in Set(refusals).sorted() {
      responses["\(status)"] = ["$ref": "#/components/responses/Error"]
    }
    return responses
  }

  private static func description(_ status: Int, _ name: String?) -> String {
    switch status {
    case 201: "Made."
    case 204: "Done."
    default: name.map { "\($0)." } ?? "Done."
    }
  }

  private static func content(_ name: String) -> JSON {
    switch name {
    case "Segments":
      [
        WireProtocol.segments: [
          "schema": [
            "description":
              "Segments one after another: for each, four bytes of length, then its bytes."
          ]
        ]
      ]
    case "Segment":
      ["application/octet-stream": ["schema": ["description": "The bytes of a segment."]]]
    case "Events":
      [
        WireProtocol.events: [
          "schema": ["type": "string", "description": "The events `ready` and `news`."],
          "example":
            "event: ready\ndata: {}\n\nevent: news\nid: 1\ndata: {\"domain\":\"airports\"}\n\n",
        ]
      ]
    default:
      [
        WireProtocol.json: OpenAPIExamples.example(name).map {
          ["schema": OpenAPISchemas.reference(name), "example": $0]
        } ?? ["schema": OpenAPISchemas.reference(name)]
      ]
    }
  }
}

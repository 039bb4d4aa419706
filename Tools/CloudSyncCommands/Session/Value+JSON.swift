import CommandFoundation
import SyncKitFormats
import SyncKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Value {
  /// The value in documents: times as RFC 3339, bytes as base64.
  var json: JSON {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .bytes(let value): .string(Data(value).base64EncodedString())
    case .instant(let value): .string(Timestamp.format(milliseconds: value))
    case .list(let values): .array(values.map(\.json))
    case .map(let map):
      .object(JSONObject(map.members.map { ($0.name.text, $0.value.json) }))
    }
  }

  /// The value in a table for programs.
  var text: String {
    switch self {
    case .null: ""
    case .bool(let value): value ? "true" : "false"
    case .int(let value): "\(value)"
    case .string(let value): value
    case .instant(let value): Timestamp.format(milliseconds: value)
    case .bytes: json.string ?? ""
    case .double, .list, .map: json.text()
    }
  }
}

extension DeviceName {
  var json: JSON { ["id": .string(id), "name": name.map { .string($0) } ?? .null] }
  /// The name, or a short form of the id of a device that has not introduced itself.
  var shown: String { name ?? String(id.prefix(8)) }
}

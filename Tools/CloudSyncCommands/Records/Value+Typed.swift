import CommandFoundation
import SyncKitFormats
import SyncKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Value {
  /// The value of a typed text in a field of a type; nil for an invalid text.
  init?(typed text: String, as type: Field.ValueType) {
    switch type {
    case .string: self = .string(text)
    case .int:
      guard let number = Int64(text) else { return nil }
      self = .int(number)
    case .list, .set:
      if text.hasPrefix("["), let json = try? JSON(parsing: text) {
        self.init(json: json, as: type)
      } else {
        self = .list(text.split(separator: ",").map { .string($0.trimmingSpaces) })
      }
    case .any:
      self = (try? JSON(parsing: text)).flatMap { Value(json: $0, as: .any) } ?? .string(text)
    case .bytes, .instant: self.init(json: .string(text), as: type)
    case .bool, .double, .map:
      guard let json = try? JSON(parsing: text) else { return nil }
      self.init(json: json, as: type)
    }
  }

  /// The value of a document in a field of a type; nil for another type.
  init?(json: JSON, as type: Field.ValueType) {
    switch (type, json) {
    case (_, .null): self = .null
    case (.bool, .bool(let value)): self = .bool(value)
    case (.int, .int(let value)): self = .int(value)
    case (.double, .int(let value)): self = .double(Double(value))
    case (.double, .double(let value)): self = .double(value)
    case (.string, .string(let text)): self = .string(text)
    case (.bytes, .string(let text)):
      guard let data = Data(base64Encoded: text) else { return nil }
      self = .bytes(Array(data))
    case (.instant, .string(let text)):
      guard let milliseconds = Timestamp.parse(text) else { return nil }
      self = .instant(milliseconds)
    case (.list, .array), (.set, .array), (.map, .object), (.any, _): self.init(json)
    default: return nil
    }
  }

  /// The value in JSON, without its exact type.
  private init(_ json: JSON) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .double(let value): self = .double(value)
    case .string(let value): self = .string(value)
    case .array(let elements): self = .list(elements.map { Value($0) })
    case .object(let object):
      self = .map(ValueMap(object.members.map { (FieldName($0.key), Value($0.value)) }))
    }
  }
}

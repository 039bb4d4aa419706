import SyncKitFormats
import SyncKit
import YAMLDocuments

/// An app's settings file: a dictionary at the top, a setting for each key.
///
/// Everything else stays as it is when the file is written: keys that are not managed, nulls,
/// and dates without an offset. The order of the keys stays too; comments and blank lines do not.
public struct SettingsFile: Sendable {
  /// The content of one key in a format.
  enum Content: Sendable {
    case json(JSON)
    case yaml(YAMLValue)
    case toml(TOML)
    case propertyList(PropertyList)
  }

  private struct Member: Sendable {
    var key: String
    var content: Content
    var value: SettingValue?
  }

  /// The format.
  public let format: SettingsFormat
  /// Values that are not settings, with the reason.
  public private(set) var problems: [(key: String, problem: String)] = []
  private var members: [Member] = []

  /// Makes an empty file.
  public init(format: SettingsFormat) { self.format = format }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: Its format or suffix; nil to detect it from the bytes.
  /// - Throws: ``SyncError`` `input.invalid` with the place.
  public init(_ bytes: [UInt8], named name: String? = nil) throws {
    guard let format = SettingsFormat.format(of: bytes, named: name) else {
      throw SyncError(
        .inputInvalid, "Could not detect the format of the file.",
        hint: "Name the format: json, yaml, toml, plist or bplist.")
    }
    self.format = format
    do {
      try read(bytes)
    } catch let error as SyncError {
      throw error
    } catch {
      throw SyncError(.inputInvalid, "not valid \(format.rawValue): \(error)")
    }
  }

  /// The settings by key.
  public var values: [String: SettingValue] {
    Dictionary(
      members.compactMap { member in member.value.map { (member.key, $0) } },
      uniquingKeysWith: { $1 })
  }

  /// The value of a key, nil when it is unset.
  ///
  /// Setting nil removes the key, a new one goes last.
  public subscript(key: String) -> SettingValue? {
    get { members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value }
    set {
      let index = members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
      guard let newValue else {
        if let index { members.remove(at: index) }
        return
      }
      let member = Member(key: key, content: content(newValue), value: newValue)
      if let index { members[index] = member } else { members.append(member) }
    }
  }

  /// The file's bytes.
  ///
  /// - Throws: ``SyncError`` `input.invalid` for a value that the format cannot represent.
  public func serialized() throws -> [UInt8] {
    switch format {
    case .json:
      let object = JSONObject(
        members.map { member in
          if case .json(let json) = member.content {
            (member.key, json)
          } else {
            (member.key, .null)
          }
        })
      return JSON.object(object).serialized(pretty: true) + [0x0A]
    case .yaml:
      return YAMLWriter.write(
        .map(
          members.map { member in
            if case .yaml(let value) = member.content {
              .init(member.key, value)
            } else {
              .init(member.key, .null)
            }
          }))
    case .toml:
      return TOML.serialize(
        TOMLTable(
          members.compactMap { member in
            if case .toml(let value) = member.content { (member.key, value) } else { nil }
          }))
    case .plist, .binaryPlist:
      let list = PropertyList.dictionary(
        members.compactMap { member in
          if case .propertyList(let value) = member.content {
            .init(member.key, value)
          } else {
            nil
          }
        })
      do throws(PropertyListError) {
        return try list.serialized(as: format == .plist ? .xml : .binary)
      } catch {
        throw SyncError(.inputInvalid, "Could not write the property list: \(error).")
      }
    }
  }

  private func content(_ value: SettingValue) -> Content {
    switch format {
    case .json: .json(value.json)
    case .yaml: .yaml(value.yaml)
    case .toml: .toml(value.toml)
    case .plist, .binaryPlist: .propertyList(value.propertyList)
    }
  }

  // MARK: Reading

  private mutating func read(_ bytes: [UInt8]) throws {
    switch format {
    case .json:
      guard let object = try JSON(parsing: bytes).object else { throw Self.noDictionary }
      for (key, value) in object.members {
        add(key, .json(value)) { () throws(SettingProblem) in try SettingValue(value) }
      }
    case .yaml:
      guard let node = try YAMLParser.parse(bytes) else { return }
      guard case .map(let entries) = try YAMLValue(node) else { throw Self.noDictionary }
      for entry in entries {
        add(entry.key, .yaml(entry.value)) { () throws(SettingProblem) in
          try SettingValue(entry.value)
        }
      }
    case .toml:
      for member in try TOML.parse(bytes).members {
        add(member.key, .toml(member.value)) { () throws(SettingProblem) in
          try SettingValue(member.value)
        }
      }
    case .plist, .binaryPlist:
      guard case .dictionary(let entries) = try PropertyList(parsing: bytes) else {
        throw Self.noDictionary
      }
      for entry in entries {
        add(entry.key, .propertyList(entry.value)) { () throws(SettingProblem) in
          SettingValue(entry.value)
        }
      }
    }
  }

  private mutating func add(
    _ key: String, _ content: Content, _ read: () throws(SettingProblem) -> SettingValue
  ) {
    var value: SettingValue?
    do throws(SettingProblem) { value = try read() } catch {
      problems.append((key, error.description))
    }
    members.append(Member(key: key, content: content, value: value))
  }

  private static let noDictionary = SyncError(
    .inputInvalid, "The file must contain a dictionary of settings.")
}

import SyncKitFormats
import SyncKit

/// An app's settings file: a dictionary at the top, a setting for each key.
///
/// It is edited and never rewritten: only the bytes of a value that changes are touched, so that
/// comments, order, quotes and every other value stay as they are.
public struct SettingsFile: Sendable {
  /// A key that was left as it is.
  public struct Refusal: Sendable {
    /// The key.
    public var key: String
    /// The reason, as a clause.
    public var reason: String
  }

  /// The format.
  public let format: SettingsFormat
  /// Values that are not settings, with the reason.
  public private(set) var problems: [(key: String, problem: String)] = []
  /// Keys whose values must not be overwritten, because they could not be read: all but nulls.
  public private(set) var unreadable: [String: String] = [:]
  /// The settings by key.
  public private(set) var values: [String: SettingValue] = [:]
  private var document: any EditableDocument
  private var refusals: [Refusal] = []

  /// Makes an empty file.
  public init(format: SettingsFormat) {
    self.format = format
    do { document = try format.document(format.emptyFile) } catch {
      preconditionFailure("an empty file of \(format.rawValue) cannot be read: \(error)")
    }
  }

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
        hint: "Name the format: \(SettingsFormat.names).")
    }
    self.format = format
    do { document = try format.document(bytes) } catch {
      throw SyncError(.inputInvalid, "not valid \(format.rawValue): \(error)")
    }
    takeValues()
  }

  private mutating func takeValues() {
    problems = []
    unreadable = [:]
    values = [:]
    for member in document.members {
      do throws(SettingProblem) {
        let value = try SettingValue(member.value, in: format)
        if let problem = Self.problem(of: member.key) {
          problems.append((member.key, problem))
        } else {
          values[member.key] = value
        }
      } catch {
        problems.append((member.key, error.description))
        if member.value != .null { unreadable[member.key] = error.description }
      }
    }
  }

  /// Why a key cannot be that of a setting.
  private static func problem(of key: String) -> String? {
    if key.isEmpty { return "its key is empty" }
    let isControlled = key.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    return isControlled ? "its key has a control character" : nil
  }

  /// The value of a key, nil when it is unset.
  ///
  /// Setting nil removes the key, a new one goes last. A value that cannot be written makes
  /// ``serialized()`` fail.
  public subscript(key: String) -> SettingValue? {
    get { values[key] }
    set { refusals += edit([key: newValue]) }
  }

  /// Sets keys, nil removes one; a key whose value cannot be written alone is left as it is.
  ///
  /// - Returns: The keys that were left.
  public mutating func edit(_ edits: [String: SettingValue?]) -> [Refusal] {
    let ordered = edits.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    let refused = document.set(ordered.map { ($0.key, $0.value?.document(in: format)) })
    takeValues()
    return refused.map { Refusal(key: $0.key, reason: $0.reason) }
  }

  /// The file's bytes.
  ///
  /// - Throws: ``SyncError`` `input.invalid` for a value that could not be written.
  public func serialized() throws -> [UInt8] {
    if let refusal = refusals.first {
      throw SyncError(.inputInvalid, "Could not write '\(refusal.key)': \(refusal.reason).")
    }
    return document.bytes
  }

  /// The values of a format without types as they stand there, by key; none of another format.
  ///
  /// What an app has changed is told by these: a setting that has got another type elsewhere is read as such,
  /// while its line is the same.
  public var texts: [String: SettingValue] { format.isUntyped ? values : [:] }

  /// The settings by key, where a format without types takes those of others.
  ///
  /// A line `size=14` is the whole number 14 if that is what the setting is elsewhere, and else a text.
  func values(as kinds: (String) -> SettingValue.Kind?) -> [String: SettingValue] {
    guard format.isUntyped else { return values }
    var typed = values
    for (key, value) in values {
      guard let kind = kinds(key), kind != .string, case .string(let text) = value else { continue }
      typed[key] = SettingValue(typed: text, as: kind) ?? value
    }
    return typed
  }
}

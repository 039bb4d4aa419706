import SyncKitFormats
import SyncKit

/// The settings of one app: the keys that are synced, and the app's declaration of them.
public struct SettingsNamespace: Sendable {
  /// Its name, such as `com.example.app`.
  public var name: String
  /// The keys that are synced; empty for all that no other rule holds back.
  public var include: [KeyPattern] = []
  /// The keys that are never captured from a file.
  public var exclude: [KeyPattern] = []
  /// The keys whose values stay on the device.
  public var localKeys: [KeyPattern] = []
  /// The keys that this device publishes, by its configuration; empty for all.
  var publishes: [KeyPattern] = []
  /// The app's declaration.
  public var declaration = SettingsDeclaration()

  /// Makes a namespace without rules.
  public init(_ name: String) { self.name = name }

  /// Takes the record of a namespace.
  init(_ record: Record) {
    self.init(record.key.id.text)
    include = Self.patterns(record[.include])
    exclude = Self.patterns(record[.exclude])
    localKeys = Self.patterns(record[.localKeys])
    // One of a newer version may be unreadable here; then nothing is declared.
    declaration = (try? SettingsDeclaration(stored: record[.declaration])) ?? SettingsDeclaration()
  }

  private static func patterns(_ value: Value) -> [KeyPattern] {
    guard case .list(let elements) = value else { return [] }
    return elements.compactMap { $0.string.map { KeyPattern($0) } }
  }

  /// Whether a text can be the name of a namespace.
  public static func isName(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
          || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
          || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || ".-_".utf8.contains(byte)
      }
  }
}

/// Where the value of a key belongs.
public enum KeyPlacement: Hashable, Sendable {
  /// On all devices.
  case synced
  /// On this device only, in a store that never leaves it.
  case local(Reason)
  /// Nowhere: it is not captured from a file.
  case left(Reason)

  /// Why a key is not synced.
  public enum Reason: Hashable, Sendable {
    /// The namespace or the configuration keeps it here.
    case localKey
    /// It looks like a secret.
    case secret(SecretCheck.Reason)
    /// A pattern leaves it out.
    case excluded
    /// There is a list of synced keys, and it is not on it.
    case notIncluded
    /// It is about this machine's windows and panels.
    case volatile
  }
}

extension KeyPlacement.Reason: CustomStringConvertible {
  /// The reason as a clause.
  public var description: String {
    switch self {
    case .localKey: "it is a local key"
    case .secret(.name): "its name suggests a secret"
    case .secret(.form): "its value looks like a token or key"
    case .secret(.randomness): "its value looks random, like a secret"
    case .excluded: "it is excluded"
    case .notIncluded: "it is not included"
    case .volatile: "it describes this machine's windows"
    }
  }
}

extension SettingsNamespace {
  /// Where a value of a key belongs.
  ///
  /// An excluded key stays out, whatever the other rules. A key that looks like a secret is synced only
  /// if `include` names it exactly, without `*` and `?`.
  public func placement(of key: String, value: SettingValue) -> KeyPlacement {
    if exclude.contains(where: { $0.matches(key) }) { return .left(.excluded) }
    if localKeys.contains(where: { $0.matches(key) }) { return .local(.localKey) }
    if !publishes.isEmpty, !publishes.contains(where: { $0.matches(key) }) {
      return .local(.localKey)
    }
    let isNamed = include.contains { $0.isExact && $0.text == key }
    if !isNamed, !isHarmless(key), let reason = SecretCheck.reason(key: key, value: value) {
      return .local(.secret(reason))
    }
    if include.isEmpty {
      return Self.volatile.contains { $0.matches(key) } ? .left(.volatile) : .synced
    }
    return include.contains { $0.matches(key) } ? .synced : .left(.notIncluded)
  }

  /// Whether the declaration restricts the values of a key so that none can be a secret.
  private func isHarmless(_ key: String) -> Bool {
    guard let declared = declaration.settings[key] else { return false }
    return declared.format != nil || !declared.choices.isEmpty
      || declared.kind != .string
        && declared.kind != .data && declared.kind != .array && declared.kind != .dict
  }

  /// The keys that the system writes into an app's settings for windows, panels and folders.
  static let volatile = [
    "NSWindow Frame *", "NSSplitView *", "NSTableView *", "NSOutlineView *", "NSToolbar *",
    "NSNavPanel*", "NSNavLast*", "NSOSPLastRootDirectory*", "NSStatusItem *", "NSTreeView *",
  ].map { KeyPattern($0) }
}

/// The machine that settings are for, as far as conditions ask.
public struct SettingsMachine: Hashable, Sendable {
  /// `linux` or `macos`, and the like.
  public var os: String
  /// What the network calls it.
  public var host: String
  /// What its owner calls it.
  public var device: String
  /// The profile in use; empty for none.
  public var profile: String

  /// Describes a machine.
  public init(os: String, host: String, device: String, profile: String = "") {
    self.os = os
    self.host = host
    self.device = device
    self.profile = profile
  }
}

/// For which machines an override holds, such as `os=linux` or `host=studio`.
public struct SettingCondition: Hashable, Sendable {
  /// What is compared, the least particular first.
  public enum Property: String, Sendable, CaseIterable {
    case os, profile, host, device
  }

  /// What is compared.
  public var property: Property
  /// What it has to be, letter by letter; case does not count in the name of a system.
  public var value: String

  /// Reads a condition; nil for what is none.
  public init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let property = Property(rawValue: String(parts[0])), !parts[1].isEmpty
    else { return nil }
    self.property = property
    value = property == .os ? parts[1].lowercased() : String(parts[1])
  }

  /// Whether it holds for a machine.
  public func holds(for machine: SettingsMachine) -> Bool {
    switch property {
    case .os: machine.os.lowercased() == value
    case .profile: machine.profile == value
    case .host: machine.host == value
    case .device: machine.device == value
    }
  }

  /// How particular it is; of several that hold, the greatest counts.
  var rank: Int { Property.allCases.firstIndex(of: property) ?? 0 }
}

extension SettingCondition: CustomStringConvertible {
  public var description: String { "\(property.rawValue)=\(value)" }
}

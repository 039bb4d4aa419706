/// The machine that settings are for: the properties that conditions compare.
public struct SettingsMachine: Hashable, Sendable {
  /// `linux` or `macos`, and the like.
  public var os: String
  /// Its name in the network.
  public var host: String
  /// Its owner's name for it.
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

/// The machines that an override is for, such as `os=linux` or `host=studio`.
public struct SettingCondition: Hashable, Sendable {
  /// The properties to compare, the least specific first.
  public enum Property: String, Sendable, CaseIterable {
    /// The operating system.
    case os
    /// The profile.
    case profile
    /// The name of the machine.
    case host
    /// The name of the device.
    case device
  }

  /// The property to compare.
  public var property: Property
  /// The required value, compared exactly; case does not matter in the name of a system.
  public var value: String

  /// Reads a condition; nil for other text.
  public init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let property = Property(rawValue: String(parts[0])), !parts[1].isEmpty
    else { return nil }
    self.property = property
    value = property == .os ? parts[1].lowercased() : String(parts[1])
  }

  /// Whether it is true for a machine.
  public func holds(for machine: SettingsMachine) -> Bool {
    switch property {
    case .os: machine.os.lowercased() == value
    case .profile: machine.profile == value
    case .host: machine.host == value
    case .device: machine.device == value
    }
  }

  /// How specific it is; of several true ones, the greatest counts.
  var rank: Int { Property.allCases.firstIndex(of: property) ?? 0 }
}

extension SettingCondition: CustomStringConvertible {
  public var description: String { "\(property.rawValue)=\(value)" }
}

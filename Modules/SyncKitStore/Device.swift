import SyncKitModel

/// The device that writes: an id that is its own, and a name for people.
public struct Device: Hashable, Sendable {
  /// A random id, the same in all domains of an installation.
  public var id: String
  /// What people call the device.
  public var name: String

  /// Names a device.
  public init(id: String, name: String) {
    self.id = id
    self.name = name
  }
}

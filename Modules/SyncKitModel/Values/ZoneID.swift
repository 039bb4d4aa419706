/// Names a zone, the unit of sync, access, selection and erasure: `home`, or the zone of one root record.
///
/// At most 64 bytes of `a–z`, `0–9` and `-`. No record ever changes its zone.
public struct ZoneID: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  /// The text, compared by its bytes.
  package let name: Name

  /// Takes a text as it is.
  public init(_ text: String) { name = Name(text) }
  public init(stringLiteral value: String) { name = Name(value) }
  package init(_ name: Name) { self.name = name }

  /// The text as it was given.
  public var text: String { name.text }

  public static func < (left: ZoneID, right: ZoneID) -> Bool { left.name < right.name }
}

extension ZoneID: CustomStringConvertible {
  public var description: String { text }
}

extension ZoneID {
  /// The zone of everything that has no zone of its own.
  public static let home: ZoneID = "home"
  /// The zone of what never leaves this device, in no form.
  public static let local: ZoneID = "local"
}

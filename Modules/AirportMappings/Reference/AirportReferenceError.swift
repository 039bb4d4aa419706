/// Why bytes cannot serve as an airport reference.
///
/// Trying again with the same bytes does not help.
public enum AirportReferenceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes begin differently.
  case notATable
  /// The table is of a format version that this code does not know.
  case unknownVersion(Int)
  /// The bytes end too early, or sizes inside them do not add up.
  case wrongSize
  /// The checksum over the whole table is wrong.
  case wrongChecksum
  /// A part of the table breaks the format, though the checksum may be right.
  case damagedSection(Int)

  public var description: String {
    switch self {
    case .notATable: "The data is not an airport reference."
    case .unknownVersion(let version):
      "This version cannot read format version \(version) of the airport reference."
    case .wrongSize: "The airport reference has the wrong size; it was truncated or altered."
    case .wrongChecksum: "The airport reference is damaged: its checksum is wrong."
    case .damagedSection(let number):
      "The airport reference is damaged in its section \(number)."
    }
  }
}

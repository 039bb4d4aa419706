/// One data message: its kind, and the fields that have a value.
struct FITMessage: Equatable, Sendable {
  /// The kinds that a ride is read from, by their global numbers.
  enum Kind: UInt16, Sendable {
    case fileID = 0
    case sport = 12
    case session = 18
    case lap = 19
    case record = 20
    case deviceInfo = 23
    case activity = 34
  }

  /// The kind by its global number.
  let number: UInt16
  /// Which of the files that follow one another it is in, from 1.
  var fileNumber = 1
  /// The values by the numbers of their fields; of an array the first.
  var fields: [UInt8: FITValue]

  /// The kind, nil for one that rides do not need.
  var kind: Kind? { Kind(rawValue: number) }

  subscript(field: UInt8) -> FITValue? { fields[field] }

  /// A field that is stored as a whole number of parts.
  func scaled(_ field: UInt8, by scale: Double) -> Double? {
    fields[field]?.number.map { $0 / scale }
  }

  /// A time in milliseconds since 1970.
  ///
  /// Small numbers count from an unknown time, when the device was switched on.
  func time(_ field: UInt8) -> Int64? {
    guard let seconds = fields[field]?.whole, 0x1000_0000...0xFFFF_FFFE ~= seconds else {
      return nil
    }
    return (seconds + Self.epoch) * 1000
  }

  /// The field with the time, the same in every message that has one.
  static let timestamp: UInt8 = 253

  /// 1989-12-31T00:00:00Z, in seconds since 1970.
  static let epoch: Int64 = 631_065_600
}

public import SyncKit

extension WriteTransaction {
  /// Rates an item or an episode; nil removes the rating.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when the rating exceeds its scale.
  public func rate(_ key: RecordKey, _ rating: Rating?, at time: Int64) throws -> WriteOutcome {
    guard let rating else { return try edit(key, [.rating: .null]) }
    let before = try record(key)
    if before?[.rating].number == rating.value, before?[.scale].int == rating.scale {
      // The same rating again is not a change.
      return try edit(key, [.rating: .double(rating.value), .scale: .int(rating.scale)])
    }
    return try edit(
      key,
      [
        .rating: .double(rating.value), .scale: .int(rating.scale), .ratedDate: .instant(time),
      ])
  }

  /// Adds a note to an item or an episode; a private one never leaves this device.
  ///
  /// - Returns: Its key.
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` for a text that is empty or too long.
  public func note(
    _ text: String, on parent: RecordKey, isPrivate: Bool = false
  ) throws -> RecordKey {
    if isPrivate {
      return try save(
        RecordDraft(
          .privateNote, fields: [.noteText: .string(text), .about: .string("\(parent)")])
      ).key
    }
    return try save(RecordDraft(.note, parent: parent, fields: [.noteText: .string(text)])).key
  }
}

/// A rating with its scale: 4.5 of 5.
public struct Rating: Hashable, Sendable, CustomStringConvertible {
  /// The rating, from 0 up to the scale.
  public let value: Double
  /// The best rating.
  public let scale: Int64

  /// Makes a rating; nil when it exceeds its scale.
  public init?(_ value: Double, of scale: Int64) {
    guard (1...100).contains(scale), value.isFinite, (0...Double(scale)).contains(value)
    else { return nil }
    self.value = value
    self.scale = scale
  }

  /// Reads `4.5/5`, or `8` on a scale of ten; nil for any other text.
  public init?(_ text: String, scale: Int64 = 10) {
    let parts = text.trimmed.split(separator: "/", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let value = Double(parts[0].trimmed),
      let scale = parts.count == 2 ? Int64(parts[1].trimmed) : scale
    else { return nil }
    self.init(value, of: scale)
  }

  /// Reads the rating of a record; nil when it has none.
  public init?(_ record: Record) {
    guard let value = record[.rating].number else { return nil }
    self.init(value, of: record[.scale].int ?? 10)
  }

  /// The rating on a scale of ten.
  public var ofTen: Double { value * 10 / Double(scale) }

  public var description: String { "\(Self.text(value))/\(scale)" }

  /// A number without trailing zeros.
  static func text(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    if rounded == rounded.rounded(), abs(rounded) < 1e15 { return "\(Int64(rounded))" }
    return "\(rounded)"
  }
}

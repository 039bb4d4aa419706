public import SyncKit

/// Rides and other data from Strava or from files, which a device can fetch again.
///
/// Opened as a local store beside the domain ``BikeDomain``; its zone never leaves the device, in any
/// form. An id is that of the source, so the same activity, athlete or bike is never stored twice.
public struct StravaDomain: SyncDomain {
  /// The collections and their rules.
  public let schema = DomainSchema.strava

  /// Makes the domain.
  public init() {}

  /// Brings a draft into its normal form.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid`.
  public func normalize(_ draft: inout RecordDraft) throws {
    try draft.trimTexts()
    if let id = draft.id {
      let trimmed = id.text.trimmed
      guard !trimmed.isEmpty else {
        throw SyncError(.inputInvalid, "A record of \(draft.collection) needs an id.")
      }
      draft.id = RecordID(trimmed)
    }
    for name in ["distance", "averageSpeed", "elevationGain"] as [FieldName] {
      try draft.requireFinite(name)
      if let number = draft.fields[name]?.number { draft.fields[name] = .double(number) }
    }
    guard draft.collection == .activity else { return }
    // An app wrote this text where the source has null.
    if draft.fields["gearId"]?.string == "defaultGearId" { draft.fields["gearId"] = .null }
    for name in ["movingTime", "elapsedTime"] as [FieldName] {
      guard let seconds = draft.fields[name]?.int else { continue }
      guard 0...Ride.longest ~= seconds else {
        throw SyncError(.inputInvalid, "The field '\(name)' takes 0 to \(Ride.longest) seconds.")
      }
    }
  }
}

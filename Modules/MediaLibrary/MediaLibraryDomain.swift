public import SyncKit

/// The domain of films and series: lists, what is in them, what was watched, rated and noted.
///
/// Lists are roots: each has a zone of its own and can be kept on the device. What a schema cannot say
/// is kept here:
///
/// - An item, an episode and a watch event get ids that follow from what they name (``MediaID``), so
///   that two devices make one record of them.
/// - Names, notes, states and ratings keep their limits; a rating lies between 0 and its scale, which
///   is 10 unless stated.
/// - What was watched on a day is watched; unwatching takes the day away.
public struct MediaLibraryDomain: SyncDomain {
  /// Makes the domain.
  public init() {}

  public var schema: DomainSchema { .media }

  public func normalize(_ draft: inout RecordDraft) throws {
    try MediaRules.normalize(&draft.fields, of: draft.collection)
    if draft.isNew, draft.id == nil { draft.id = try MediaRules.id(of: draft) }
  }

  public func complete(_ draft: inout RecordDraft, over record: Record?) throws {
    try MediaRules.complete(&draft, over: record)
  }
}

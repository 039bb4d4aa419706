public import SyncKit

/// The domain of films and series: lists and their items, watch events, ratings and notes.
///
/// Lists are roots: each has its own zone and can be kept on the device. Rules that a schema cannot
/// express are here:
///
/// - An item, an episode and a watch event get ids that follow from their content (``MediaID``), so
///   that two devices make one record of them.
/// - Names, notes, states and ratings keep their limits; a rating is between 0 and its scale, which
///   is 10 unless stated.
/// - A title watched on a day is watched; unwatching removes the day.
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

import SyncKitApp

/// A shelf of books: a whole domain, with a rule for every field.
struct BookShelfDomain: SyncDomain {
  let schema = DomainSchema(
    "bookshelf",
    [
      RecordType(
        "book",
        fields: [
          Field("title", .string),
          Field("author", .string),
          // Concurrent additions on two devices all survive.
          Field("tags", .set),
          // Both of two concurrent notes are kept until a person joins them.
          Field("note", .string, policy: KeepBothPolicy()),
          // Opening a book never saves it from a concurrent deletion.
          Field("opened", .instant, policy: ExtremePolicy.max, weight: .touch),
          // A date for an unread book, or a read book without one, would make no sense.
          .group("reading", [Field("isRead", .bool), Field("finished", .instant)]),
        ])
    ])

  func complete(_ draft: inout RecordDraft, over record: Record?) throws {
    guard record == nil, draft.fields["title"] == nil else { return }
    throw SyncError(.inputInvalid, "A book needs the field 'title'.")
  }
}

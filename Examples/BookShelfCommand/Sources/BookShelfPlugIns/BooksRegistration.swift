import CloudSyncCommands
import SyncKit

/// The domain of books on the command line.
public enum BooksRegistration: DomainRegistration {
  public static let domain: any SyncDomain = BooksDomain()
  public static let abstract = "Books: what stands on the shelf and what was read."

  public static let commands = DomainCommands(verbs: [BooksNext.self])

  public static let records = DomainRecords(
    display: RecordDisplay(
      example: DomainExample(id: "dune", fields: "title=Dune"),
      columns: { _ in
        [
          .id(), .field("title"), .field("author"),
          .text("read") { $0["isRead"].bool == true ? "yes" : "" },
        ]
      },
      steadyFields: ["book": ["title"]], countedFields: ["author"]))

  public static var tables: PlugInTables {
    PlugInTables(
      keys: [
        ConfigKey(
          "order", .choice(["title", "author"]), "What 'next' goes by", fallback: "title")
      ],
      errors: [(.allRead, "No book on the shelf is unread")],
      documents: [("bookshelf.next/1", "id, title, author")],
      files: [("shelf", "A book a line: 'id: title / author'")],
      topics: [
        (
          "shelves", "how books are put in order",
          "'bookshelf books next' goes by title, or by author after\n"
            + "'bookshelf config set domains.books.order author'."
        )
      ])
  }
}

extension SyncError.Code {
  /// No book on the shelf is unread.
  public static let allRead = Self("books.all-read", exit: 66)
}

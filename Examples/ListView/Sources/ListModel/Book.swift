public import SyncKitApp

/// A book of the list.
public struct Book: SyncedRecord {
  public var id = RecordID.random
  public var title = ""
  public var isRead = false

  public static let schema = RecordSchema<Book>("book") {
    SyncedField("title", \.title)
    SyncedField("isRead", \.isRead)
  }

  /// Makes a book without a title.
  public init() {}

  /// Makes a book.
  public init(_ title: String) { self.title = title }
}

extension SyncDomain where Self == RecordDomain {
  /// All that this app keeps.
  public static var books: RecordDomain { RecordDomain("books", Book.self) }
}

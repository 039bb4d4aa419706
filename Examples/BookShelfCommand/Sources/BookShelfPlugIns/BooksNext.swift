import ArgumentParser
import CloudSyncCommands
import SyncKitFormats
import SyncKit

/// The command `bookshelf books next`.
struct BooksNext: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Name the book to read next.")

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let books = try context.open(BooksRegistration.self)
    let order = FieldName(books.settings.text("order") ?? "title")
    let unread = try books.store.records("book").filter { $0["isRead"].bool != true }
    guard let next = unread.min(by: { text($0, order) < text($1, order) }) else {
      throw SyncError(
        .allRead, "Every book on the shelf is read.",
        hint: "add one with 'bookshelf books add ID title=TITLE'")
    }
    let (title, author) = (text(next, "title"), text(next, "author"))
    context.print(
      Report(
        "bookshelf.next/1",
        ["id": .string(next.key.id.text), "title": .string(title), "author": .string(author)],
        columns: ["id", "title", "author"], rows: [[next.key.id.text, title, author]]))
  }

  private func text(_ book: Record, _ field: FieldName) -> String { book[field].string ?? "" }
}

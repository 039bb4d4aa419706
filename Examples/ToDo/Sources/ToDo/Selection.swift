import SyncKitApp

/// Which items of a list are shown, and in which order.
enum Selection: String {
  /// Every item, as a person has ordered them.
  case all
  /// What is left to do.
  case open
  /// What is left to do by a day, the next day first.
  case due

  /// The query that gives them.
  func query(in list: TaskList) -> RecordQuery<Item> {
    let items = RecordQuery(Item.self, in: list)
    return switch self {
    case .all: items.order(by: \.rank)
    case .open: items.where(\.isDone == false).order(by: \.rank)
    case .due: items.where(\.isDone == false && \.due != nil).order(by: \.due).order(by: \.rank)
    }
  }
}

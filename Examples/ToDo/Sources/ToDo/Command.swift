/// What a person types.
enum Command: Equatable {
  case list(String)
  case add(String)
  case toggle(Int)
  case rename(Int, String)
  case note(Int, String)
  case due(Int, Day?)
  case move(Int, to: Int)
  case delete(Int)
  case settle(Int, String)
  case show(Selection)
  case undo
  case offline
  case online
  case help
  case quit

  static let summary = """
    list NAME      open a list, or make it     add TEXT       add an item
    done N         done, or open again         rename N TEXT  another title
    note N TEXT    write a note                due N DAY      a day such as 2026-12-01, or none
    move N M       to the place of M           delete N       delete it
    settle N TEXT  make one note of several    undo           take back your last step
    show open      or all, or due              offline        stop syncing; online resumes it
    """

  /// Reads a line; nil when it is none of these commands.
  init?(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    let rest = line.split(separator: " ", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
    let number = words.count > 1 ? Int(words[1]) : nil
    let text = words.count > 2 ? words[2] : ""
    switch (words.first, number) {
    case ("list", _) where !rest.isEmpty: self = .list(rest)
    case ("add", _) where !rest.isEmpty: self = .add(rest)
    case ("done", let number?): self = .toggle(number)
    case ("rename", let number?) where !text.isEmpty: self = .rename(number, text)
    case ("note", let number?): self = .note(number, text)
    case ("due", let number?) where text == "none": self = .due(number, nil)
    case ("due", let number?):
      guard let day = Day(text) else { return nil }
      self = .due(number, day)
    case ("move", let number?):
      guard let place = Int(text) else { return nil }
      self = .move(number, to: place)
    case ("delete", let number?): self = .delete(number)
    case ("settle", let number?) where !text.isEmpty: self = .settle(number, text)
    case ("show", _):
      guard let selection = Selection(rawValue: rest) else { return nil }
      self = .show(selection)
    case ("undo", _): self = .undo
    case ("offline", _): self = .offline
    case ("online", _): self = .online
    case ("help", _): self = .help
    case ("quit", _): self = .quit
    default: return nil
    }
  }
}

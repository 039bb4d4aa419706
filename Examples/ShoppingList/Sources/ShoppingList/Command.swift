/// What a person types.
enum Command: Equatable {
  case join(String)
  case pair
  case invite(String)
  case accept(String)
  case list(String)
  case add(String)
  case amount(Int, Int)
  case want(Int)
  case buy(Int)
  case remove(Int)
  case offline
  case online
  case help
  case quit

  static let summary = """
    join LINK     let this device into an account    pair         make a link for another device
    invite NAME   share this list with a person      accept LINK  take part in a shared list
    list NAME     open a list, or make it            add TEXT     add an item
    amount N M    buy M of it                        want N       you want it, too
    buy N         bought, or not bought after all    remove N     remove it
    offline       stop syncing; online resumes it    quit         end
    """

  /// Reads a line; nil when it is none of these commands.
  init?(_ line: String) {
    let words = line.split(separator: " ").map(String.init)
    let rest = words.dropFirst().joined(separator: " ")
    let number = words.count > 1 ? Int(words[1]) : nil
    switch (words.first, number) {
    case ("join", _) where !rest.isEmpty: self = .join(rest)
    case ("pair", _): self = .pair
    case ("invite", _) where !rest.isEmpty: self = .invite(rest)
    case ("accept", _) where !rest.isEmpty: self = .accept(rest)
    case ("list", _) where !rest.isEmpty: self = .list(rest)
    case ("add", _) where !rest.isEmpty: self = .add(rest)
    case ("amount", let number?):
      guard words.count == 3, let amount = Int(words[2]), amount > 0 else { return nil }
      self = .amount(number, amount)
    case ("want", let number?): self = .want(number)
    case ("buy", let number?): self = .buy(number)
    case ("remove", let number?): self = .remove(number)
    case ("offline", _): self = .offline
    case ("online", _): self = .online
    case ("help", _): self = .help
    case ("quit", _): self = .quit
    default: return nil
    }
  }
}

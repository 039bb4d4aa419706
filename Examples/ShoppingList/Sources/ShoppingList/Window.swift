import SyncKitApp
import SyncKitHTTP
import TerminalWindow

/// A list on the screen that follows the store, whoever writes to it.
@MainActor final class Window {
  private let store: SyncStore
  private let home: String
  private let terminal: Terminal
  private var page = Page()
  private var lists: [ShoppingList] = []
  private var account: Account?
  /// What syncs; nil before the device has joined an account.
  private var session: SyncSession?
  private var following: [Task<Void, Never>] = []
  private var followingItems: Task<Void, Never>?

  init(_ store: SyncStore, home: String, _ terminal: Terminal) {
    self.store = store
    self.home = home
    self.terminal = terminal
  }

  /// Shows the list and obeys until there are no more lines.
  func run() async throws {
    following.append(
      follow(store.observe(RecordQuery(ShoppingList.self).order(by: \.name))) { $0.take(lists: $1) }
    )
    if let account = try Account.load(from: home) { try await sync(with: account) }
    refresh()
    for await line in terminal.lines {
      guard let command = Command(line) else {
        terminal.say("'\(line)' is not understood; 'help' lists the commands")
        continue
      }
      if command == .quit { break }
      do { try await obey(command) } catch { terminal.say("\(error)") }
    }
    await session?.stop()
    for task in following + [followingItems].compactMap(\.self) { task.cancel() }
  }

  /// Syncs with an account from now on.
  private func sync(with account: Account) async throws {
    let session = store.sync(with: try account.remote())
    let states = session.states
    self.account = account
    self.session = session
    page.isJoined = true
    following.append(
      Task {
        for await state in states {
          page.state = state
          refresh()
        }
      })
    await session.start()
  }

  // MARK: Following the store

  private func follow<Model: SyncedRecord>(
    _ results: AsyncThrowingStream<[Model], any Error>,
    _ take: @escaping @MainActor (Window, [Model]) -> Void
  ) -> Task<Void, Never> {
    Task {
      do {
        for try await models in results {
          take(self, models)
          refresh()
        }
      } catch {
        terminal.say("\(error)")
      }
    }
  }

  private func take(lists: [ShoppingList]) {
    self.lists = lists
    let shown = lists.first { $0.id == page.list?.id } ?? lists.first
    page.otherLists = lists.filter { $0.id != shown?.id }
    if shown?.id == page.list?.id { page.list = shown } else { open(shown) }
  }

  private func open(_ list: ShoppingList?) {
    followingItems?.cancel()
    page.list = list
    page.items = []
    page.otherLists = lists.filter { $0.id != list?.id }
    followingItems = list.map { list in
      follow(store.observe(RecordQuery(Item.self, in: list).order(by: \.name))) {
        $0.page.items = $1
      }
    }
  }

  private func refresh() {
    let access = page.list.flatMap { list in
      try? store.record(ShoppingList.collection, list.recordID)?.access
    }
    page.owner = access.flatMap { $0.role.isGuest ? $0.owner : nil }
    terminal.show(page.text)
  }

  // MARK: Obeying

  private func obey(_ command: Command) async throws {
    switch command {
    case .join(let text): try await join(text)
    case .pair: terminal.say("link: \(try await sharing().pair().text)")
    case .invite(let person):
      let link = try await sharing().invite(person, to: try list())
      terminal.say("link for \(person): \(link.text)")
    case .accept(let text):
      guard let link = ServerLink(text) else { return terminal.say("'\(text)' is no link") }
      try await sharing().accept(link)
    case .list(let name):
      if let known = lists.first(where: { $0.name == name }) { return open(known) }
      let list = ShoppingList(name: name)
      try await store.write { try $0.insert(list) }
      open(list)
    case .add(let name):
      let (list, item) = (try list(), Item(name: name, wishes: [store.device.name]))
      try await store.write { try $0.insert(item, in: list) }
    case .amount(let number, let amount): try await change(number) { $0.amount = amount }
    case .want(let number):
      let me = store.device.name
      try await change(number) { $0.wishes.insert(me) }
    case .buy(let number):
      let me = store.device.name
      try await change(number) { item in
        item.isBought.toggle()
        item.buyer = item.isBought ? me : nil
      }
    case .remove(let number):
      let item = try item(number)
      try await store.write { try $0.delete(Item.self, item.id) }
    case .offline: await session?.scheduler.pause()
    case .online: await session?.scheduler.resume()
    case .help: terminal.say(Command.summary)
    case .quit: break
    }
  }

  private func join(_ text: String) async throws {
    guard session == nil else { return terminal.say("this device has joined an account already") }
    guard let link = ServerLink(text), link.purpose == .join else {
      return terminal.say("'\(text)' is no link to join with")
    }
    let account = try await Account.join(link, as: store.device)
    // The code is spent: the token must not get lost any more.
    try account.save(in: home)
    try await sync(with: account)
  }

  private func change(
    _ number: Int, _ change: @escaping @Sendable (inout Item) -> Void
  ) async throws {
    let item = try item(number)
    try await store.write { try $0.update(Item.self, item.id, change) }
  }

  private func sharing() throws -> Sharing {
    guard let session, let account else {
      throw SyncError(.inputInvalid, "This device has joined no account.")
    }
    return Sharing(store: store, session: session, client: try account.client())
  }

  private func list() throws -> ShoppingList {
    guard let list = page.list else { throw SyncError(.notFound, "Make a list first: list NAME") }
    return list
  }

  private func item(_ number: Int) throws -> Item {
    guard page.items.indices.contains(number - 1) else {
      throw SyncError(.notFound, "There is no item \(number) in this list.")
    }
    return page.items[number - 1]
  }
}

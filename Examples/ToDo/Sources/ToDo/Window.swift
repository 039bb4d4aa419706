import SyncKitApp
import TerminalWindow

/// A list on the screen that follows the store, whoever writes to it.
@MainActor final class Window {
  private let store: SyncStore
  private let session: SyncSession
  private let terminal: Terminal
  private var page = Page()
  private var lists: [TaskList] = []
  private var selection = Selection.all
  private var steps: [BatchID] = []
  private var following: [Task<Void, Never>] = []
  private var followingItems: Task<Void, Never>?

  init(_ store: SyncStore, _ session: SyncSession, _ terminal: Terminal) {
    self.store = store
    self.session = session
    self.terminal = terminal
  }

  /// Shows the list and obeys until there are no more lines.
  func run() async {
    let (lists, events) = (
      store.observe(RecordQuery(TaskList.self).order(by: \.name)), store.events
    )
    following = [
      follow(lists) { $0.take(lists: $1) },
      Task { for await event in events where event.mayChangeStatus { await refresh() } },
    ]
    await session.start()
    for await line in terminal.lines {
      guard let command = Command(line) else {
        terminal.say("'\(line)' is not understood; 'help' lists the commands")
        continue
      }
      if command == .quit { break }
      do { try await obey(command) } catch { terminal.say("\(error)") }
    }
    // The last edits are sent before the program ends.
    await session.stop()
    for task in following + [followingItems].compactMap(\.self) { task.cancel() }
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
          await refresh()
        }
      } catch {
        terminal.say("\(error)")
      }
    }
  }

  private func take(lists: [TaskList]) {
    self.lists = lists
    let shown = lists.first { $0.id == page.list?.id } ?? lists.first
    page.otherLists = lists.filter { $0.id != shown?.id }
    if shown?.id == page.list?.id { page.list = shown } else { open(shown) }
  }

  private func open(_ list: TaskList?) {
    followingItems?.cancel()
    page.list = list
    page.items = []
    page.otherLists = lists.filter { $0.id != list?.id }
    followingItems = list.map { list in
      follow(store.observe(selection.query(in: list))) { $0.page.items = $1 }
    }
  }

  /// Reads what stands beside the items: how they are synced, and which notes wait for a decision.
  private func refresh() async {
    do {
      page.state = try await session.scheduler.state()
      let statuses = try session.statuses()
      page.statuses = [:]
      for key in statuses.pending.union(statuses.conflicted) where key.collection == Item.collection
      {
        page.statuses[key.id] = statuses[key]
      }
      page.rivals = [:]
      for conflict in try store.conflicts(of: Item.self) where conflict.needsDecision {
        page.rivals[conflict.model.id] = conflict.candidates.map {
          ($0.isMine ? "you" : $0.device.name ?? "another device", $0.model.note ?? "")
        }
      }
    } catch {
      terminal.say("\(error)")
    }
    terminal.show(page.text)
  }

  // MARK: Obeying

  private func obey(_ command: Command) async throws {
    switch command {
    case .list(let name):
      if let known = lists.first(where: { $0.name == name }) { return open(known) }
      let (list, batch) = try await store.addList(name)
      remember(batch)
      open(list)
    case .add(let title):
      guard let list = page.list else { return terminal.say("make a list first: list NAME") }
      remember(try await store.add(title, to: list))
    case .toggle(let number): remember(try await store.toggle(item(number)))
    case .rename(let number, let title):
      remember(try await store.change(item(number)) { $0.title = title })
    case .note(let number, let note):
      remember(try await store.change(item(number)) { $0.note = note.isEmpty ? nil : note })
    case .due(let number, let day):
      remember(try await store.change(item(number)) { $0.due = day })
    case .move(let number, let place):
      guard selection == .all else { return terminal.say("show all first") }
      remember(try await store.move(item(number), to: place - 1, among: page.items))
    case .delete(let number): remember(try await store.delete(item(number)))
    case .settle(let number, let note):
      remember(try await store.settleNote(of: item(number), as: note))
    case .show(let selection):
      self.selection = selection
      open(page.list)
    case .undo:
      guard let step = steps.popLast() else { return terminal.say("there is nothing to undo") }
      let left = try await store.read { try $0.undo(step) }.skipped
      if !left.isEmpty { terminal.say("changed since, and left: \(left.joined(separator: ", "))") }
    case .offline: await session.scheduler.pause()
    case .online: await session.scheduler.resume()
    case .help: terminal.say(Command.summary)
    case .quit: break
    }
    await refresh()
  }

  /// The item with a number, as the page that the person looks at numbers them.
  private func item(_ number: Int) throws -> Item {
    guard page.items.indices.contains(number - 1) else {
      throw SyncError(.notFound, "There is no item \(number) in this list.")
    }
    return page.items[number - 1]
  }

  private func remember(_ step: BatchID?) {
    if let step { steps.append(step) }
  }
}

extension SyncEvent {
  /// Whether badges may look different after it.
  fileprivate var mayChangeStatus: Bool {
    switch self {
    case .changed, .reload, .finished, .failed: true
    case .phase(let phase): phase == .idle
    case .progress: false
    }
  }
}

import CommandFoundation
import SyncKit

/// Shows how far a run has come, for those who want to see it.
final class ProgressTask: Sendable {
  private let task: Task<Void, Never>?

  init(_ context: CommandContext, _ store: SyncStore, domain: String) {
    guard context.showsProgress else {
      task = nil
      return
    }
    let events = store.events
    task = Task {
      let line = ProgressLine(context)
      for await event in events {
        guard case .progress(let progress) = event else { continue }
        let verb = progress.phase == .pulling ? "pulling" : "pushing"
        line.show("\(domain): \(verb) \(progress.done) of \(progress.total)")
      }
      line.clear()
    }
  }

  /// Takes the line away and stops listening.
  func end() async {
    task?.cancel()
    await task?.value
  }
}

import CommandFoundation
import SyncKit

/// Shows how far a run has come, where progress is wanted.
final class ProgressTask: Sendable {
  private let task: Task<Void, Never>?

  init(_ context: CommandContext, _ store: SyncStore, domain: String, isCompaction: Bool = false) {
    guard context.showsProgress else {
      task = nil
      return
    }
    let events = store.events
    task = Task {
      let line = ProgressLine(context)
      for await event in events {
        switch event {
        case .phase(.pulling): line.begin("\(domain): asking the remotes")
        case .phase(.pushing):
          line.begin(
            "\(domain): \(isCompaction ? "compacting" : "bringing the remotes up to date")")
        case .progress(let progress): Self.show(progress, of: domain, on: line)
        case .phase(.idle), .changed, .reload, .finished, .failed: break
        }
      }
      line.clear()
    }
  }

  private static func show(_ progress: SyncProgress, of domain: String, on line: ProgressLine) {
    let verb =
      switch (progress.phase, progress.unit) {
      case (.pushing, _): "pushing"
      case (_, .segments): "fetching"
      case (_, .changes): "pulling"
      }
    line.show(
      "\(domain): \(verb)", done: progress.done, of: progress.total,
      .count(progress.unit == .segments ? "files" : "changes"))
  }

  /// Takes the line away and stops listening.
  func end() async {
    task?.cancel()
    await task?.value
  }
}

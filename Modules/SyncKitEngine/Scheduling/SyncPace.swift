import SyncKitModel
import SyncKitStore

/// How eagerly a domain syncs.
public struct SyncPace: Hashable, Sendable {
  /// How long to wait for more edits before they are sent to the remotes.
  public var debounce: Duration
  /// The shortest time between two runs; what happens in between leads to one more run after it.
  public var minimumInterval: Duration
  /// How often a remote without news is checked.
  public var poll: Duration

  /// For a connection that costs money or little power: edits are sent together after a minute, and a remote without news
  /// is asked once an hour.
  public static let sparing = SyncPace(
    debounce: .seconds(60), minimumInterval: .seconds(60), poll: .seconds(3_600))

  /// Takes the usual times: half a second, a second, half a minute.
  public init(
    debounce: Duration = .milliseconds(500), minimumInterval: Duration = .seconds(1),
    poll: Duration = .seconds(30)
  ) {
    self.debounce = debounce
    self.minimumInterval = minimumInterval
    self.poll = poll
  }
}

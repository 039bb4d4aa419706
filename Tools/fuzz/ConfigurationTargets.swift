import CloudSyncCommands
import SyncKit

extension FuzzTarget {
  /// Text that people write by hand.
  static let configurations: [FuzzTarget] = [
    FuzzTarget(
      "config",
      texts: [
        """
        version: 1
        device: { name: laptop }
        defaults: { debounce: 500ms, max-delete: 20%, stale-after: 7d }
        remotes:
          folder: { type: file, path: ~/Sync }
          home: { type: http, url: "https://sync.example.org", token: { command: [pass, show] } }
        domains: { airports: { remote: home, rebase: { code: remoteWins } } }
        jobs: { quick: { domains: [airports], every: 15m } }
        """
      ],
      body: { _ = ConfigurationCheck.problems(in: $0) }),
    FuzzTarget(
      "remote-url",
      texts: ["folder=file:~/Sync", "a=sqlite:/srv/a.sqlite", "home=https://example.org:8443"],
      body: { _ = ConfigurationCheck.isRemote(String(decoding: $0, as: UTF8.self)) }),
  ]
}

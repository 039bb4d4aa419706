import HTTPTransport
import SyncKit

import SyncServer

/// What the user wants synced, where to and how: the configuration with types.
///
/// All names in it are checked: a remote that a domain names is one of ``remotes``.
struct Configuration: Hashable, Sendable {
  /// What other devices call this one; nil for the host's name.
  var deviceName: String?
  /// What holds for every domain that says nothing else.
  var defaults: SyncSettings
  /// Where data is kept, in the order of the file.
  var remotes: [Remote]
  /// The domains that are configured, in the order of the file.
  var domains: [Domain]
  /// What is synced together, in the order of the file.
  var jobs: [Job]
  /// Who is told, in the order of the file.
  var hooks: [Hook]
  /// The server of this machine.
  var server: Server

  subscript(remote name: String) -> Remote? { remotes.first { $0.name == name } }
  subscript(domain name: String) -> Domain? { domains.first { $0.name == name } }
  subscript(job name: String) -> Job? { jobs.first { $0.name == name } }
}

/// How fast and how careful the sync of a domain is.
struct SyncSettings: Hashable, Sendable {
  /// How long edits may settle before they are pushed.
  var debounce: Duration
  /// The shortest time between two runs.
  var minimumInterval: Duration
  /// How often a watcher looks at a remote.
  var poll: Duration
  /// How much of a zone a pull may delete before it is stopped.
  var maximumDelete: Percent
  /// When a domain without a good sync counts as stale.
  var staleAfter: Duration
  /// How long a device keeps the changes that have led to what is there.
  var keepHistory: Duration

  /// How eagerly a watcher keeps a domain in step.
  var pace: SyncPace {
    SyncPace(debounce: debounce, minimumInterval: minimumInterval, poll: poll)
  }
}

extension Configuration {
  /// A place that keeps data for others, reached in one of three ways.
  struct Remote: Hashable, Sendable {
    var name: String
    var location: Location
    /// How a server is reached; of no meaning elsewhere.
    var web = Web()
    /// How much may lie there; nil for no limit.
    var quota: RemoteQuota?

    /// What may stand between this device and a server.
    struct Web: Hashable, Sendable {
      /// Certificates to trust in place of the system's, by the absolute path of their file.
      var certificates: String?
      /// The only certificate that is taken from the server.
      var fingerprint: CertificateFingerprint?
      /// A proxy's address, or `direct`; nil for what the environment says.
      var proxy: String?
      /// Whether the connection may be unencrypted though it leaves this machine.
      var allowsCleartext = false
    }

    enum Location: Hashable, Sendable {
      /// A folder, by its absolute path.
      case file(String)
      /// A shared database file, by its absolute path.
      case sqlite(String)
      case http(url: String, token: Secret?)
    }
  }

  /// One kind of data and how it is synced.
  struct Domain: Hashable, Sendable {
    var name: String
    /// The remotes it syncs with; none means that it stays on this device.
    var remotes: [String]
    var isEnabled: Bool
    var layout: Layout
    /// Who wins when an unsealed edit meets one it has not seen, by group; others follow the schema.
    var rebase: [String: Rebase]
    /// The Movie Database, for the domain media; nil when nothing is said of it.
    var tmdb: TMDB?
    /// Patterns of the records that are synced; empty for all.
    var include: [String]
    /// Patterns of the records that stay here.
    var exclude: [String]
    /// The rider's own app at Strava; nil when nothing is said of it.
    var strava: Strava?
    /// Files of apps whose settings are captured and applied, in the order of the file.
    var track: [TrackedFile]
    var settings: SyncSettings

    /// Where details of films and series are asked for.
    struct TMDB: Hashable, Sendable {
      /// The person's own key; nil when there is none.
      var key: Secret?
      var url: String
    }

    /// An app at Strava, which everybody makes for themselves.
    struct Strava: Hashable, Sendable {
      var clientID: String?
      var clientSecret: Secret?
      var url: String
    }

    enum Layout: String, Hashable, Sendable {
      case segments, document
    }

    enum Rebase: String, Hashable, Sendable {
      case merge, remoteWins, localWins
    }
  }

  /// A file in which an app keeps its settings.
  struct TrackedFile: Hashable, Sendable {
    var name: String
    var namespace: String
    /// Its absolute path.
    var path: String
    /// Its format; nil to tell it from the file.
    var format: String?
  }

  /// How the server of this machine runs.
  struct Server: Hashable, Sendable {
    /// Where it listens: `host:port` or `unix:/path`.
    var listen: String
    /// Its address as other people see it.
    var url: String?
    /// The absolute path of its data folder.
    var data: String?
    var certificate: String?
    var key: String?
    var isBehindProxy: Bool
    /// The addresses of proxies, where others reach it too.
    var proxies: [String]
    var authentication: ServerSettings.Authentication
    /// Where the numbers for Prometheus are.
    var metrics: String?
  }

  /// Domains that are synced together, by name or by a timer.
  struct Job: Hashable, Sendable {
    var name: String
    var domains: [String]
    /// Only these remotes; nil for all that each domain names.
    var remotes: [String]?
    /// How often a timer runs it; nil for never.
    var every: Duration?
  }

  /// Somebody who is told how a job went.
  struct Hook: Hashable, Sendable {
    var name: String
    var kind: Kind
    var when: Set<Moment>
    /// Whether it gets the log and not only the summary.
    var sendsLog: Bool
    /// Whether its failure fails the job.
    var isRequired: Bool

    enum Kind: Hashable, Sendable {
      case healthchecks(url: Secret)
      case ntfy(server: String, topic: Secret)
      case uptimeKuma(url: Secret)
      case webhook(url: Secret)
      case command([String], skipStatus: Int)
    }

    enum Moment: String, Hashable, Sendable {
      case before, after, start, success, failure, conflict, stale, recovery
    }
  }
}

import SyncKit

/// What the user wants synced, where to and how: the configuration with types.
///
/// All names in it are checked: a remote that a domain names is one of ``remotes``.
package struct Configuration: Hashable, Sendable {
  /// What other devices call this one; nil for the host's name.
  package var deviceName: String?
  /// What holds for every domain that says nothing else.
  package var defaults: SyncSettings
  /// Where data is kept, in the order of the file.
  package var remotes: [Remote]
  /// The domains that are configured, in the order of the file.
  package var domains: [Domain]
  /// What is synced together, in the order of the file.
  package var jobs: [Job]
  /// The hooks, in the order of the file.
  package var hooks: [Hook]
  /// The passphrases of `backup` and `vault`; missing where they are asked for.
  package var passphrases: [String: Secret]
  /// The server of this machine.
  package var server: Server
  /// The pages for a browser.
  package var web: Web

  package init(
    deviceName: String? = nil, defaults: SyncSettings, remotes: [Remote], domains: [Domain],
    jobs: [Job], hooks: [Hook], passphrases: [String: Secret] = [:], server: Server, web: Web
  ) {
    self.deviceName = deviceName
    self.defaults = defaults
    self.remotes = remotes
    self.domains = domains
    self.jobs = jobs
    self.hooks = hooks
    self.passphrases = passphrases
    self.server = server
    self.web = web
  }

  package subscript(remote name: String) -> Remote? { remotes.first { $0.name == name } }
  package subscript(domain name: String) -> Domain? { domains.first { $0.name == name } }
  package subscript(job name: String) -> Job? { jobs.first { $0.name == name } }
}

/// How fast and how careful the sync of a domain is.
package struct SyncSettings: Hashable, Sendable {
  /// How long edits may settle before they are pushed.
  package var debounce: Duration
  /// The shortest time between two runs.
  package var minimumInterval: Duration
  /// How often a watcher looks at a remote.
  package var poll: Duration
  /// How much of a zone a pull may delete before it is stopped.
  package var maximumDelete: Percent
  /// When a domain without a good sync counts as stale.
  package var staleAfter: Duration
  /// How long a device keeps the changes that have led to what is there.
  package var keepHistory: Duration

  package init(
    debounce: Duration, minimumInterval: Duration, poll: Duration, maximumDelete: Percent,
    staleAfter: Duration, keepHistory: Duration
  ) {
    self.debounce = debounce
    self.minimumInterval = minimumInterval
    self.poll = poll
    self.maximumDelete = maximumDelete
    self.staleAfter = staleAfter
    self.keepHistory = keepHistory
  }

  /// How eagerly a watcher keeps a domain in step.
  package var pace: SyncPace {
    SyncPace(debounce: debounce, minimumInterval: minimumInterval, poll: poll)
  }
}

extension Configuration {
  /// A remote, reached by one of the transports.
  package struct Remote: Hashable, Sendable {
    package var name: String
    package var location: Location
    /// How much may lie there; nil for no limit.
    package var quota: RemoteQuota?
    /// What the configuration says of encryption; nil when it says nothing.
    package var encryption: Bool?
    /// Whether everything is encrypted that is stored there.
    package var isEncrypted: Bool { encryption ?? false }

    package init(
      name: String, location: Location, quota: RemoteQuota? = nil, encryption: Bool? = nil
    ) {
      self.encryption = encryption
      self.name = name
      self.location = location
      self.quota = quota
    }

    /// Where it is and how it is reached, in the keys of its transport.
    package struct Location: Hashable, Sendable {
      /// The transport, by its scheme.
      package var type: String
      package var values: ConfigValues

      package init(type: String, values: ConfigValues) {
        self.type = type
        self.values = values
      }
    }
  }

  /// One kind of data and how it is synced.
  package struct Domain: Hashable, Sendable {
    package var name: String
    /// The remotes it syncs with; none means that it stays on this device.
    package var remotes: [String]
    package var isEnabled: Bool
    package var layout: Layout
    /// Which of an unsealed edit and a concurrent one wins, by group; others follow the schema.
    package var rebase: [String: Rebase]
    /// Patterns of the records that are synced; empty for all.
    package var include: [String]
    /// Patterns of the records that stay here.
    package var exclude: [String]
    /// The values of the domain's own keys.
    package var values: ConfigValues
    package var settings: SyncSettings

    package init(
      name: String, remotes: [String], isEnabled: Bool, layout: Layout, rebase: [String: Rebase],
      include: [String], exclude: [String], values: ConfigValues, settings: SyncSettings
    ) {
      self.name = name
      self.remotes = remotes
      self.isEnabled = isEnabled
      self.layout = layout
      self.rebase = rebase
      self.include = include
      self.exclude = exclude
      self.values = values
      self.settings = settings
    }

    package enum Layout: String, Hashable, Sendable {
      case segments, document, lists
    }

    package enum Rebase: String, Hashable, Sendable {
      case merge, remoteWins, localWins
    }
  }

  /// How the server of this machine runs.
  package struct Server: Hashable, Sendable {
    /// Where it listens: `host:port` or `unix:/path`.
    package var listen: String
    /// Its address as other people see it.
    package var url: String?
    /// The absolute path of its data folder.
    package var data: String?
    /// The address of the database that it uses instead, as libpq reads it.
    package var store: String?
    /// The address of PostgreSQL itself, when ``store`` is that of a pooler.
    package var storeSession: String?
    /// Where it keeps large bodies, as ``ConfigSchema`` names the keys.
    package var blobs: ConfigValues
    package var certificate: String?
    package var key: String?
    package var isBehindProxy: Bool
    /// The addresses of proxies, where others reach it too.
    package var proxies: [String]
    /// How callers authenticate, in a word of ``ConfigSchema``.
    package var authentication: String
    /// Where the numbers for Prometheus are.
    package var metrics: String?

    package init(
      listen: String, url: String? = nil, data: String? = nil, store: String? = nil,
      storeSession: String? = nil,
      blobs: ConfigValues = ConfigValues(), certificate: String? = nil, key: String? = nil,
      isBehindProxy: Bool, proxies: [String],
      authentication: String,
      metrics: String? = nil
    ) {
      self.listen = listen
      self.url = url
      self.data = data
      self.store = store
      self.storeSession = storeSession
      self.blobs = blobs
      self.certificate = certificate
      self.key = key
      self.isBehindProxy = isBehindProxy
      self.proxies = proxies
      self.authentication = authentication
      self.metrics = metrics
    }
  }

  /// How the pages of this device for a browser are served.
  package struct Web: Hashable, Sendable {
    /// The port of 127.0.0.1; 0 for any that is free.
    package var port: UInt16
    /// After how long without use they end.
    package var idle: Duration

    package init(port: UInt16, idle: Duration) {
      self.port = port
      self.idle = idle
    }
  }

  /// Domains that are synced together, by name or by a timer.
  package struct Job: Hashable, Sendable {
    package var name: String
    package var domains: [String]
    /// Only these remotes; nil for all that each domain names.
    package var remotes: [String]?
    /// How often a timer runs it; nil for never.
    package var every: Duration?

    package init(name: String, domains: [String], remotes: [String]? = nil, every: Duration? = nil)
    {
      self.name = name
      self.domains = domains
      self.remotes = remotes
      self.every = every
    }
  }

  /// A service or program that is notified of a job.
  package struct Hook: Hashable, Sendable {
    package var name: String
    package var kind: Kind
    package var when: Set<Moment>
    /// Whether it gets the log and not only the summary.
    package var sendsLog: Bool
    /// Whether its failure fails the job.
    package var isRequired: Bool

    package init(name: String, kind: Kind, when: Set<Moment>, sendsLog: Bool, isRequired: Bool) {
      self.name = name
      self.kind = kind
      self.when = when
      self.sendsLog = sendsLog
      self.isRequired = isRequired
    }

    package enum Kind: Hashable, Sendable {
      case healthchecks(url: Secret)
      case ntfy(server: String, topic: Secret)
      case uptimeKuma(url: Secret)
      case webhook(url: Secret)
      case command([String], skipStatus: Int)
    }

    package enum Moment: String, Hashable, Sendable {
      case before, after, start, success, failure, conflict, stale, recovery
    }
  }
}

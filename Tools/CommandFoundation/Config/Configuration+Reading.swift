import SyncKit

extension Configuration {
  /// Takes the values from the checked layers.
  ///
  /// - Throws: ``SyncError`` `config.invalid`.
  package init(_ reader: ConfigReader) throws(SyncError) {
    deviceName = reader.map("device").text("name")
    let defaults = try SyncSettings(reader.map("defaults"))
    self.defaults = defaults
    remotes = try reader.named("remotes").map { entry throws(SyncError) in
      try Remote(entry.name, entry.reader)
    }
    domains = try reader.named("domains").map { entry throws(SyncError) in
      try Domain(entry.name, entry.reader, defaults)
    }
    jobs = try reader.named("jobs").map { entry throws(SyncError) in
      try Job(entry.name, entry.reader)
    }
    hooks = try reader.named("hooks").map { entry throws(SyncError) in
      try Hook(entry.name, entry.reader)
    }
    passphrases = [:]
    for subject in ["backup", "vault"] {
      let entry = reader.map(subject)
      if entry.says("passphrase") { passphrases[subject] = try entry.secret("passphrase") }
    }
    server = try Server(reader.map("server"))
    web = try Web(reader.map("web"))
  }
}

extension SyncSettings {
  /// Reads them, each falling back to other settings, or to the table where there are none.
  package init(_ reader: ConfigReader, else other: SyncSettings? = nil) throws(SyncError) {
    func value<Value>(
      _ key: String, _ fallback: Value?, _ read: (String) -> Value?
    ) throws(SyncError) -> Value {
      if let fallback, !reader.says(key) { return fallback }
      return try reader.required(key, read)
    }
    debounce = try value("debounce", other?.debounce, ConfigText.duration)
    minimumInterval = try value("min-interval", other?.minimumInterval, ConfigText.duration)
    poll = try value("poll", other?.poll, ConfigText.duration)
    maximumDelete = try value("max-delete", other?.maximumDelete) { Percent($0) }
    staleAfter = try value("stale-after", other?.staleAfter, ConfigText.duration)
    keepHistory = try value("keep-history", other?.keepHistory, ConfigText.duration)
  }
}

extension Configuration.Remote {
  fileprivate init(_ name: String, _ reader: ConfigReader) throws(SyncError) {
    self.name = name
    let limits = reader.map("quota")
    if limits.says("bytes") || limits.says("keys") {
      quota = RemoteQuota(
        bytes: try limits.optional("bytes", ConfigText.bytes),
        keys: try limits.optional("keys", ConfigText.whole))
    }
    encryption = try reader.optional("encrypted", ConfigText.flag)
    let type = try reader.required("type") { $0 }
    location = Location(
      type: type, values: try ConfigValues(reader, ConfigSchema.ownKeys(ofRemote: type)))
  }
}

extension Configuration.Domain {
  fileprivate init(
    _ name: String, _ reader: ConfigReader, _ defaults: SyncSettings
  ) throws(SyncError) {
    self.name = name
    remotes = reader.texts("remotes") ?? reader.text("remote").map { [$0] } ?? []
    isEnabled = try reader.required("enabled", ConfigText.flag)
    layout = try reader.required("layout") { Layout(rawValue: $0) }
    rebase = [:]
    for (group, text) in reader.namedTexts("rebase") { rebase[group] = Rebase(rawValue: text) }
    include = reader.texts("include") ?? []
    exclude = reader.texts("exclude") ?? []
    values = try ConfigValues(reader, ConfigSchema.ownKeys(ofDomain: name))
    settings = try SyncSettings(reader, else: defaults)
  }
}

extension Configuration.Server {
  fileprivate init(_ reader: ConfigReader) throws(SyncError) {
    listen = try reader.required("listen") { $0 }
    url = reader.text("url")
    data = reader.says("data") ? try reader.path("data") : nil
    store = reader.text("store")
    storeSession = reader.text("store-session")
    blobs = try ConfigValues(reader, ConfigSchema.serverBlobs)
    certificate = reader.says("tls-cert") ? try reader.path("tls-cert") : nil
    key = reader.says("tls-key") ? try reader.path("tls-key") : nil
    isBehindProxy = try reader.required("trusted-proxy", ConfigText.flag)
    proxies = reader.texts("proxies") ?? []
    authentication = try reader.required("auth") { $0 }
    metrics = reader.text("metrics")
  }
}

extension Configuration.Web {
  fileprivate init(_ reader: ConfigReader) throws(SyncError) {
    port = try reader.required("port") { UInt16($0) }
    idle = try reader.required("idle", ConfigText.duration)
  }
}

extension Configuration.Job {
  fileprivate init(_ name: String, _ reader: ConfigReader) throws(SyncError) {
    self.name = name
    domains = reader.texts("domains") ?? []
    remotes = reader.texts("remotes")
    every = try reader.optional("every", ConfigText.duration)
  }
}

extension Configuration.Hook {
  fileprivate init(_ name: String, _ reader: ConfigReader) throws(SyncError) {
    self.name = name
    switch reader.text("kind") {
    case "healthchecks": kind = .healthchecks(url: try reader.secret("url"))
    case "uptime-kuma": kind = .uptimeKuma(url: try reader.secret("url"))
    case "webhook": kind = .webhook(url: try reader.secret("url"))
    case "ntfy":
      kind = .ntfy(
        server: try reader.required("server") { $0 }, topic: try reader.secret("topic"))
    default:
      kind = .command(
        reader.texts("run") ?? [], skipStatus: try reader.required("skip-status", ConfigText.whole))
    }
    when = Set((reader.texts("when") ?? []).compactMap { Moment(rawValue: $0) })
    sendsLog = try reader.required("send-log", ConfigText.flag)
    isRequired = try reader.required("required", ConfigText.flag)
  }
}

import Hummingbird
import PageTemplates
import SyncKitFormats

extension WebSite {
  static let settingsRoutes: [Route] = [
    Route(.get, "settings/file") { site, request in try await site.settingsFile(request) },
    Route(.post, "settings/put") { site, request in try await site.putSetting(request) },
    Route(.post, "settings/apply") { site, request in try await site.applySettings(request) },
    Route(.post, "settings/capture") { site, request in try await site.captureSettings(request) },
    Route(.post, "settings/revert") { site, request in try await site.revertSettings(request) },
  ]

  /// How many rows a table has.
  private static let mostSettings = 300
  private static let types = [
    "bool", "int", "uint", "double", "decimal", "string", "plain", "date", "data", "array", "dict",
  ]

  /// What stands above the tables of the settings: one app with what applies on this device.
  func settingsTop(_ request: PageRequest) async throws -> [String: Any] {
    let words = WebWords(request.language)
    let namespaces = try await settingsNamespaces()
    let chosen =
      request.query["app"].flatMap { namespaces.contains($0) ? $0 : nil } ?? namespaces.first
    var values: [String: Any] = [
      "types": Self.types,
      "namespaces": namespaces.map { name in
        var entry: [String: Any] = ["name": name, "address": settingsAddress(name)]
        if name == chosen { entry["isChosen"] = true }
        return entry
      },
    ]
    if namespaces.count > 1 { values["hasNamespaces"] = true }
    guard let chosen else { return values }
    let dump = try await document(["settings", "dump", "--namespace=\(chosen)"])
    let settings = dump["settings"]?.array ?? []
    values["namespace"] = chosen
    values["here"] = words["settings.here", chosen]
    values["settings"] = settings.prefix(Self.mostSettings).map { setting($0, words) }
    if settings.count > Self.mostSettings {
      values["moreSettings"] =
        words["import.more", words.number(settings.count - Self.mostSettings)]
    }
    let files = try await settingsFiles(of: chosen)
    values["files"] = files.map { file in
      [
        "path": file.path, "address": settingsAddress(chosen, path: file.path),
        "differences": file.differences.map { words.count("settings.count", $0) } ?? "",
      ]
    }
    if !files.isEmpty { values["hasFiles"] = true }
    return values
  }

  private func setting(_ setting: JSON, _ words: WebWords) -> [String: Any] {
    var values: [String: Any] = [
      "key": setting["key"]?.string ?? "", "type": setting["type"]?.string ?? "",
      "shown": Self.shown(setting, isSecret: setting["type"]?.string != nil, words),
      "origin": words.name(setting["origin"]?.string ?? "none", of: "settings.from"),
    ]
    values["device"] = setting["device"]?["name"]?.string
    values["at"] = words.moment(setting["modified"]?.string, now: program.now())
    return values
  }

  /// A value for people; one that looks like a secret has a type and no value.
  private static func shown(_ value: JSON?, isSecret: Bool, _ words: WebWords) -> String {
    guard let value, !value.isNull else { return "–" }
    guard let found = value["value"], !found.isNull else {
      return isSecret ? words["settings.hidden"] : "–"
    }
    let text = DataField.text(found)
    if text.isEmpty { return words["settings.empty"] }
    return text.count > 300 ? text.prefix(300) + "…" : text
  }

  private func settingsAddress(_ namespace: String, path: String? = nil) -> String {
    path.map { address("settings/file") + FormValues.query([("app", namespace), ("path", $0)]) }
      ?? address("data/settings") + FormValues.query([("app", namespace)])
  }

  private func settingsNamespaces() async throws -> [String] {
    let found = try await document(
      ["settings", "search", "--collection", "namespace", "--limit", "200"])
    return found["records"]?.array?.compactMap { $0["id"]?.string } ?? []
  }

  /// The files of an app: those that the configuration tracks, and those that were read before.
  private func settingsFiles(
    of namespace: String
  ) async throws -> [(path: String, differences: Int?)] {
    async let dump = document(["settings", "dump", "--namespace=\(namespace)"])
    async let show = document(["config", "show"])
    // A file that cannot be read stops none of the others.
    async let diff = program.run(["settings", "diff"])
    var tracked: [String: (namespace: String?, path: String?)] = [:]
    for setting in try await show["settings"]?.array ?? [] {
      let words = (setting["key"]?.string ?? "").split(separator: ".").map(String.init)
      guard words.count >= 5, words[0...2] == ["domains", "settings", "track"] else { continue }
      let name = words[3..<words.count - 1].joined(separator: ".")
      if words.last == "namespace" {
        tracked[name, default: (nil, nil)].namespace = setting["value"]?.string
      } else if words.last == "path" {
        tracked[name, default: (nil, nil)].path = setting["value"]?.string
      }
    }
    let own = tracked.values.filter { $0.namespace == namespace }.compactMap(\.path)
      .map(program.expanded)
    let read = try await dump["files"]?.array?.compactMap(\.string) ?? []
    let differences = try await diff.document?["differences"]?.array ?? []
    return Set(own + read).filter { $0.hasPrefix("/") }.sorted().map { path in
      let count = differences.count {
        $0["namespace"]?.string == namespace && $0["path"]?.string == path
      }
      return (path, own.contains(path) ? count : nil)
    }
  }

  // MARK: A file

  /// The app and the file of a form or a query.
  ///
  /// - Throws: ``WebFailure`` for a file that is none of the app's: a page reads and writes no others.
  private func settingsPlace(_ form: FormValues) async throws -> (namespace: String, path: String) {
    guard let namespace = form["app"], let path = form["path"],
      try await settingsNamespaces().contains(namespace),
      try await settingsFiles(of: namespace).contains(where: { $0.path == path })
    else { throw WebFailure(404, .unknownPage) }
    return (namespace, path)
  }

  private func settingsFile(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let (namespace, path) = try await settingsPlace(request.query)
    let option = "--namespace=\(namespace)"
    async let diff = program.run(["settings", "diff", option], names: [path])
    async let apply = program.run(["settings", "apply", "--dry-run", option], names: [path])
    async let capture = program.run(["settings", "capture", "--dry-run", option], names: [path])
    async let revert = program.run(["settings", "revert", "--list"], names: [path])
    let outcome = try await diff
    let differences = outcome.document?["differences"]?.array ?? []
    var values: [String: Any] = [
      "namespace": namespace, "path": path, "back": settingsAddress(namespace),
      "about": words.name("settings", of: "domain"),
      "differences": differences.prefix(Self.mostSettings).map { difference in
        [
          "key": difference["key"]?.string ?? "",
          "inFile": Self.shown(difference["file"], isSecret: true, words),
          "stored": Self.shown(difference["stored"], isSecret: true, words),
          "changed": words.name(difference["changed"]?.string ?? "", of: "settings.by"),
        ]
      },
      "apply": ["lines": try await applyLines(apply, words)],
      "capture": ["lines": try await captureLines(capture, words)],
    ]
    if !differences.isEmpty { values["hasDifferences"] = true }
    if differences.count > Self.mostSettings {
      values["moreDifferences"] =
        words["import.more", words.number(differences.count - Self.mostSettings)]
    }
    if let failure = outcome.failure {
      values["failure"] = ["text": failure.message, "hint": failure.hint ?? ""]
    }
    let states = try await revert.document?["states"]?.array?.compactMap(\.string) ?? []
    if !states.isEmpty { values["hasStates"] = true }
    values["states"] = states.enumerated().map { index, state in
      // The last one is the file before cloudsync first wrote it.
      let isOriginal = state.hasSuffix(".before-cloudsync")
      return [
        "value": isOriginal ? "original" : String(index + 1),
        "label": words[isOriginal ? "settings.original" : "settings.earlier", String(index + 1)],
      ]
    }
    return page(
      "settings-file", title: path, current: "settings", values, request.language)
  }

  /// What `apply` says of a file, a line for each thing.
  private func applyLines(_ outcome: CommandOutcome, _ words: WebWords) -> [String] {
    var lines: [String] = []
    for file in outcome.document?["files"]?.array ?? [] {
      func keys(_ name: String) -> String? {
        let keys = file[name]?.array?.compactMap(\.string) ?? []
        guard !keys.isEmpty else { return nil }
        return keys.prefix(40).joined(separator: ", ") + (keys.count > 40 ? " …" : "")
      }
      for name in ["written", "removed", "unseen"] {
        if let keys = keys(name) { lines.append(words["settings.line.\(name)", keys]) }
      }
      lines += (file["refused"]?.array ?? []).prefix(40).map { refused in
        "\(refused["key"]?.string ?? ""): \(refused["reason"]?.string ?? "")"
      }
      if let backup = file["backup"]?.string { lines.append(words["settings.line.backup", backup]) }
    }
    if let failure = outcome.failure { lines.append(failure.message) }
    return lines.isEmpty ? [words["settings.nothing"]] : lines
  }

  /// What `capture` would store.
  private func captureLines(_ outcome: CommandOutcome, _ words: WebWords) -> [String] {
    let plan = outcome.document?["plan"]?.array ?? []
    var lines = plan.filter { $0["field"]?.string == "value" }.prefix(40).map { change in
      let key = change["record"]?.string?.split(separator: "/", maxSplits: 1).last ?? ""
      let (from, to) = (DataField.text(change["from"]), DataField.text(change["to"]))
      return
        "\(key): \(from.isEmpty ? "–" : from.prefix(100)) → \(to.isEmpty ? "–" : to.prefix(100))"
    }
    lines += (outcome.document?["warnings"]?.array?.compactMap(\.string) ?? []).prefix(20)
    if let failure = outcome.failure { lines.append(failure.message) }
    return lines.isEmpty ? [words["settings.nothing"]] : lines
  }

  // MARK: What a person does

  private func putSetting(_ request: PageRequest) async throws -> WebAnswer {
    let app = request.form["app"] ?? ""
    var command = ["settings", "put", "--namespace=\(app)"]
    if let type = request.form["type"] { command.append("--type=\(type)") }
    if request.form["here"] != nil { command.append("--here") }
    try await change(
      command, names: [request.form["key"] ?? "", request.form["value"] ?? ""], domain: "settings",
      done: WebWords(request.language)["record.changed"])
    return .redirect(to: settingsAddress(app))
  }

  private func applySettings(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let (namespace, path) = try await settingsPlace(request.form)
    let force = request.form["force"] == nil ? [] : ["--force"]
    let outcome = try await program.run(
      ["settings", "apply", "--namespace=\(namespace)"] + force, names: [path])
    return say(applyLines(outcome, words), of: outcome, "settings.applied", namespace, path, words)
  }

  private func captureSettings(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let (namespace, path) = try await settingsPlace(request.form)
    try await change(
      ["settings", "capture", "--namespace=\(namespace)"], names: [path], domain: "settings",
      done: words["settings.captured"])
    return .redirect(to: settingsAddress(namespace, path: path))
  }

  private func revertSettings(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let (namespace, path) = try await settingsPlace(request.form)
    let state = request.form["state"] ?? ""
    let outcome = try await program.run(
      ["settings", "revert", state == "original" ? "--original" : "--to=\(state)"], names: [path])
    let from = outcome.document?["from"]?.string
    return say(
      from.map { [words["settings.from", $0]] } ?? [], of: outcome, "settings.reverted", namespace,
      path, words)
  }

  /// Leaves what a command says for the page of its file.
  private func say(
    _ lines: [String], of outcome: CommandOutcome, _ done: String, _ namespace: String,
    _ path: String, _ words: WebWords
  ) -> WebAnswer {
    var notice = WebNotice(text: words[done])
    if let failure = outcome.failure {
      notice = WebNotice(text: failure.message, isError: true, hint: failure.hint)
    }
    notice.warnings = lines.filter { $0 != notice.text }
    session.leave(notice)
    return .redirect(to: settingsAddress(namespace, path: path))
  }
}

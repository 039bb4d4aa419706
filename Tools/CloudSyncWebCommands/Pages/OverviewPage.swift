import Hummingbird
import PageTemplates
import SyncKitFormats

extension WebSite {
  static let overviewRoutes: [Route] = [
    Route(.get, "") { site, request in try await site.overview(request) },
    Route(.post, "sync") { site, request in try await site.sync(request) },
  ]

  /// One sentence on top, then who has what, the data, and the places.
  private func overview(_ request: PageRequest) async throws -> WebAnswer {
    async let status = document(["status"])
    async let remotes = document(["remote", "list"])
    let page = try await Overview(
      status: status, remotes: remotes, words: WebWords(request.language),
      now: program.now())
    return self.page(
      "overview", title: page.words["overview"], page.values, request.language)
  }

  /// Syncs everything, and says how it went on the overview.
  private func sync(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let outcome = try await program.run(["sync"])
    let jobs = outcome.document?["jobs"]?.array ?? []
    func sum(_ key: String) -> Int { jobs.reduce(0) { $0 + Int($1[key]?.int ?? 0) } }
    if let failure = outcome.failure {
      session.leave(
        WebNotice(
          text: "\(words["sync.failed"]) \(failure.message)", isError: true, hint: failure.hint))
    } else {
      session.leave(
        WebNotice(
          text: words[
            "sync.done", words.number(sum("pushed")), words.number(sum("pulled"))]))
    }
    return .redirect(to: address())
  }
}

/// What the overview says, from the documents of `status` and `remote list`.
struct Overview {
  let words: WebWords
  private let now: Int64
  private let domains: [JSON]
  private let devices: [JSON]
  private let remotes: [JSON]
  private let status: JSON

  init(status: JSON, remotes: JSON, words: WebWords, now: Int64) {
    self.status = status
    self.words = words
    self.now = now
    domains = status["domains"]?.array ?? []
    // This device first, then the one that was seen last.
    devices = (status["devices"]?.array ?? []).sorted { first, second in
      let isSelf = (first["self"]?.bool ?? false, second["self"]?.bool ?? false)
      if isSelf.0 != isSelf.1 { return isSelf.0 }
      return (first["lastSeen"]?.string ?? "") > (second["lastSeen"]?.string ?? "")
    }
    self.remotes = remotes["remotes"]?.array ?? []
  }

  var values: [String: Any] {
    let verdict = verdict
    var values: [String: Any] = [
      "verdict": verdict.text, "mark": verdict.isGood ? "good" : "bad",
      "device": words["onDevice", status["device"]?["name"]?.string ?? ""],
      "columns": domains.map { ["label": label(of: $0)] },
      "rows": devices.map(row), "domains": domains.map(domain), "remotes": remotes.map(remote),
    ]
    if let hint = verdict.hint { values["hint"] = hint }
    if !remotes.isEmpty { values["canSync"] = true }
    return values
  }

  private func label(of domain: JSON) -> String {
    words.name(domain["name"]?.string ?? "", of: "domain")
  }

  // MARK: The sentence on top

  private struct Verdict {
    var text: String
    var hint: String?
    var isGood = false
  }

  /// The worst thing first.
  private var verdict: Verdict {
    if status["initialised"]?.bool != true {
      return Verdict(text: words["safe.none"], hint: words["safe.none.hint"])
    }
    if remotes.isEmpty {
      return Verdict(text: words["safe.noRemote"], hint: words["safe.noRemote.hint"])
    }
    if let domain = domains.first(where: { ["error", "offline"].contains($0["state"]?.string) }) {
      return Verdict(
        text: words["safe.error", label(of: domain)], hint: words["safe.error.hint"])
    }
    let decisions = sum("decisions")
    if decisions > 0 { return Verdict(text: words.count("safe.decisions", decisions)) }
    if let domain = domains.first(where: { $0["stale"]?.bool == true }) {
      return Verdict(text: words["safe.stale", label(of: domain)], hint: words["safe.stale.hint"])
    }
    let pending = sum("pending")
    if pending > 0 {
      return Verdict(
        text: words.count("safe.pending", pending), hint: words["safe.pending.hint"])
    }
    let waiting = sum("waiting")
    if waiting > 0 {
      return Verdict(
        text: words.count("safe.waiting", waiting), hint: words["safe.waiting.hint"])
    }
    if let device = devices.first(where: { Self.isBehind($0) }) {
      return Verdict(
        text: words["safe.behind", name(of: device)], hint: words["safe.behind.hint"], isGood: true)
    }
    let places = words.count("remotes.count", remotes.count)
    if devices.count < 2 { return Verdict(text: words["safe.alone", places], isGood: true) }
    return Verdict(
      text: words["safe.all", words.count("devices.count", devices.count), places], isGood: true)
  }

  private func sum(_ key: String) -> Int {
    domains.reduce(0) { $0 + Int($1[key]?.int ?? 0) }
  }

  private static func isBehind(_ device: JSON) -> Bool {
    device["self"]?.bool != true && device["behind"]?.int ?? 0 > 0
  }

  private func name(of device: JSON) -> String {
    device["name"]?.string ?? words["matrix.unnamed"]
  }

  // MARK: Tables

  private func row(of device: JSON) -> [String: Any] {
    let isSelf = device["self"]?.bool ?? false
    var row: [String: Any] = [
      "name": name(of: device), "isSelf": isSelf,
      "cells": domains.map { cell(of: device, in: $0, isSelf: isSelf) },
    ]
    if !isSelf {
      row["seen"] = words.moment(device["lastSeen"]?.string, now: now)
      if device["clockAhead"]?.int != nil { row["clock"] = true }
    }
    return row
  }

  private func cell(of device: JSON, in domain: JSON, isSelf: Bool) -> [String: Any] {
    if isSelf {
      let waiting = Int(domain["waiting"]?.int ?? 0)
      return waiting > 0
        ? ["text": words.count("matrix.lacks", waiting), "mark": "bad"]
        : ["text": words["matrix.has"], "mark": "good"]
    }
    let known = domain["devices"]?.array?.first { $0["id"] == device["id"] }
    guard let behind = known?["behind"]?.int else {
      return ["text": words["matrix.none"], "mark": "none"]
    }
    return behind > 0
      ? ["text": words.count("matrix.lacks", Int(behind)), "mark": "bad"]
      : ["text": words["matrix.has"], "mark": "good"]
  }

  private func domain(_ domain: JSON) -> [String: Any] {
    func count(_ key: String) -> String {
      domain[key]?.int.map { words.number(Int($0)) } ?? "–"
    }
    var values: [String: Any] = [
      "name": domain["name"]?.string ?? "", "label": label(of: domain),
      "state": words.name(domain["state"]?.string ?? "", of: "state"),
      "mark": domain["state"]?.string == "upToDate" ? "good" : "plain",
      "records": count("records"), "pending": count("pending"), "waiting": count("waiting"),
      "conflicts": count("conflicts"),
    ]
    values["lastSync"] = words.moment(domain["lastSync"]?.string, now: now)
    if let error = domain["error"]?["message"]?.string { values["error"] = error }
    return values
  }

  private func remote(_ remote: JSON) -> [String: Any] {
    let name = remote["name"]?.string ?? ""
    let uses = domains.compactMap { domain in
      domain["remotes"]?.array?.first { $0["name"]?.string == name }
    }
    var values: [String: Any] = [
      "name": name, "url": remote["url"]?.string ?? "",
      "encrypted": words[remote["encrypted"]?.bool == true ? "yes" : "no"],
    ]
    // The oldest says since when everything is there.
    let times = uses.map { $0["lastSync"]?.string }
    if !times.contains(nil), let oldest = times.compactMap({ $0 }).min() {
      values["lastSync"] = words.moment(oldest, now: now)
    }
    if let error = uses.lazy.compactMap({ $0["error"]?["message"]?.string }).first {
      values["error"] = error
    }
    return values
  }
}

import CommandFoundation
import SyncKitFormats
import SyncKit

extension HelpTopic {
  /// What `cloudsync help formats` prints.
  static let formats = HelpTopic(
    name: "formats", summary: "the documents that --json prints, and the other formats"
  ) { _ in
    let files = DomainRegistry.all.flatMap { registration in
      registration.tables.files.map { row in
        [
          ReportTable.Cell(registration.domain.name), ReportTable.Cell(row.format),
          ReportTable.Cell(row.meaning),
        ]
      }
    }
    return Page(sections: [
      Section(
        title: "Formats",
        table: ReportTable(
          [ReportTable.Column("format"), ReportTable.Column("meaning")],
          rows: [
            ["table", "Aligned columns for people; cut to the terminal's width, never in a pipe"],
            ["plain", "A record per line, tabs between, no header; \\t \\n \\r \\\\ are escaped"],
            ["json", "One object with a schema; new keys may appear"],
            ["jsonl", "A record per line, each an object"],
            ["csv", "With a header; quoted where needed"],
          ])),
      Section(
        title: "Documents",
        text: """
          Times are RFC 3339 in UTC with milliseconds, bytes are base64, null means unset; tables show local
          time. Each document
          has a JSON Schema in Schemas/. An error is one object on standard error.
          A program that passes on what others must not see among the arguments of a process calls cloudsync with
          --words-from-input alone, and writes to its standard input the number of bytes, a line feed, a JSON
          array of all words in so many bytes, and then what the command reads.
          """,
        table: ReportTable(
          [ReportTable.Column("document"), ReportTable.Column("keys")],
          rows: documents.map { [ReportTable.Cell($0.name), ReportTable.Cell($0.keys)] })),
      Section(
        title: "Files",
        text: "Besides json, csv and records, which every domain reads and writes.",
        table: ReportTable(
          [
            ReportTable.Column("domain"), ReportTable.Column("file"),
            ReportTable.Column("meaning"),
          ], rows: files)),
    ])
  }

  /// The documents and their guaranteed keys.
  static var documents: [(name: String, keys: String)] {
    common + PlugInTables.all.flatMap(\.documents)
  }

  /// Those of the program.
  private static let common: [(name: String, keys: String)] = [
    ("cloudsync.error/1", "code, exit, message, hint, retryable, safe"),
    (
      "cloudsync.commands/1",
      "name, abstract, arguments: name, abstract, optional; options: names, value, abstract;"
        + " commands: the same of each below"
    ),
    (
      "cloudsync.sync/1",
      "jobs: domain, remote, result, pushed, pulled, conflicts, waiting, seconds, error?"
    ),
    (
      "cloudsync.compact/1",
      "jobs: domain, remote, result, merged, removed, files, bytes, reason?, error?; dryRun?"
    ),
    (
      "cloudsync.status/1",
      "device: id, name; devices: id, name, lastSeen, behind; domains: name, state, lastSync,"
        + " records, pending, conflicts, stale, remotes: name, lastSync, pending,"
        + " runs, error?; erasing, error?"
    ),
    (
      "cloudsync.event/1",
      "what a hook receives: event, run, at, device, names; at the end exit, seconds, jobs, stale, error"
    ),
    ("cloudsync.init/1", "config, data, created, device: id, name; domains, remotes: name, url"),
    ("cloudsync.remotes/1", "remotes: name, url, domains"),
    ("cloudsync.remote/1", "name, dryRun; url?, domains?, notes?"),
    ("cloudsync.remote-test/1", "name, url, reachable, segments, notes, clockAhead, room"),
    ("cloudsync.pause/1", "paused, changed, dryRun"),
    (
      "cloudsync.log/1",
      "entries: at, domain, remote, result, pushed, pulled, conflicts, overridden, seconds,"
        + " merges: record, field, device, local, remote, result; error?; since"
    ),
    ("cloudsync.doctor/1", "healthy, checks: check, outcome, message, advice"),
    ("cloudsync.diagnose/1", "file, entries: name, bytes, content?"),
    ("cloudsync.timer/1", "scope, active, timers: name, every, command, cron, files; contents?"),
    ("cloudsync.backup/1", "file, encrypted, made, device, stores: name, bytes; problems; kept?"),
    ("cloudsync.<domain>.list/1", "records; error? where it ends too early"),
    ("cloudsync.<domain>.show/1", "record, and its keys"),
    (
      "record",
      "collection, id, fields, created, modified, device: id, name; scope, conflicts;"
        + " owner and role when shared"
    ),
    (
      "cloudsync.<domain>.<verb>/1",
      "batch, added, changed, deleted, unchanged, warnings, errors: row?, column?, message; plan?"
    ),
    (
      "cloudsync.<domain>.stats/1",
      "records, deleted, conflicts, runs, collections, devices, fields, created, modified"
    ),
    ("cloudsync.<domain>.export/1", "file, format, count"),
    (
      "cloudsync.fields/1",
      "domain, collections (array of name, local, root, parents, records, fields)"
    ),
    ("cloudsync.serve/1", "url, address"),
    ("cloudsync.web/1", "url"),
    (
      "cloudsync.token/1",
      "id, name, scope, account: id, name; created, expires, lastUsed, token"
    ),
    (
      "cloudsync.tokens/1",
      "tokens: id, name, scope, account, created, expires, lastUsed, device, by, maker"
    ),
    ("cloudsync.token-revoke/1", "id, ended: tokens, codes, invitations, joined, guests"),
    (
      "cloudsync.account/1",
      "id, name, remote, scopes, used: bytes, records, devices; quota: bytes, records, devices"
    ),
    (
      "cloudsync.account.audit/1",
      "remote, entries: at, action, subject, name, device: id, name; token, tokenName, address"
    ),
    ("cloudsync.server.admin/1", "link, code, expires, ended"),
    (
      "cloudsync.server.accounts/1",
      "accounts: id, name, created, devices, used: bytes, records, devices;"
        + " quota: bytes, records, devices; locked"
    ),
    (
      "cloudsync.server.account/1",
      "id, name, created, devices, used, quota, locked; changed?, removed?, export?, dryRun?"
    ),
    ("cloudsync.server.export/1", "account: id, name; folder, segments, bytes, damaged"),
    (
      "cloudsync.server.invitations/1",
      "invitations: id, kind, account, guest, title, by, created, expires"
    ),
    ("cloudsync.server.invitation/1", "as an element of cloudsync.server.invitations/1"),
    ("cloudsync.server.audit/1", "entries: at, action, account: id, name; detail, address"),
    ("cloudsync.server.invite/1", "account: id, name; code, link, expires, created"),
    ("cloudsync.server.backup/1", "file, bytes"),
    (
      "cloudsync.server.check/1",
      "segments, bytes, problems, damaged: segment, account, domain, zone, series, device, token,"
        + " problem; removed"
    ),
    (
      "cloudsync.server.restore/1",
      "file, segments, bytes, kept, dryRun, signedOut, devices: account, id, name, lastSeen,"
        + " endedSince; tokens: …, endedSince; invitations, invitationsEnded, undone: locked, removed,"
        + " guests"
    ),
    ("cloudsync.server.migrate/1", "from, to, accounts, segments, bytes, rows, cancelled"),
    ("cloudsync.demo/1", "steps, converged"),
    (
      "cloudsync.devices/1",
      "devices: id, name, joined, lastSeen, self, by, signedOut, remote; tokens: id, name, scope,"
        + " created, expires, lastUsed, by"
    ),
    ("cloudsync.device/1", "id, name, dryRun; of revoke: revoked, ended, withJoined"),
    ("cloudsync.pairing/1", "code, link, key, expires, remote, command"),
    (
      "cloudsync.share/1",
      "id, remote, domain, zone, title, role, owner, encrypted, words, verified, ownWords,"
        + " participants: id, name, role, state, words, verified; summary;"
        + " invitations?: name, link, expires"
    ),
    ("cloudsync.shares/1", "shares: as cloudsync.share/1"),
    (
      "cloudsync.watch/1",
      "event (started, connected, disconnected, sync), at; of sync: domain, remote, result, pushed,"
        + " pulled, conflicts, seconds, error?"
    ),
    (
      "cloudsync.conflicts/1",
      "conflicts: id, domain, collection, record, field, decision, shown, values: value, device, at"
    ),
    (
      "cloudsync.history/1",
      "batches: id, at, device, domain, changes: op, record, field, from, to; complete; since"
    ),
    ("cloudsync.verify/1", "zones: domain, zone, vector, digest, problems; errors?: domain, error"),
    (
      "cloudsync.config/1",
      "settings: key, value, origin; or path; or valid, problems: file, line, column, message, hint"
    ),
    ("cloudsync.version/1", "version"),
    ("cloudsync.help/1", "topic, records"),
  ]
}

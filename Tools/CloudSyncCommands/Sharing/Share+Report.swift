import CommandFoundation
import SyncKitFormats
import SyncKitHTTP
import SyncKit
import SyncWire

extension WireShare {
  /// The participants, in a few words.
  ///
  /// `Only you`, `Shared with Anna (writer), Ben (reader), Carl (reader, pending)`, or for a guest `Shared by Anna
  /// (reader)`.
  var summary: String {
    guard role == .owner else { return "Shared by \(owner.name) (\(role.rawValue))" }
    let parts = participants.filter { $0.state != .removed }.map { participant in
      let state = participant.state == .pending ? ", pending" : ""
      return "\(participant.name) (\(participant.role.rawValue)\(state))"
    }
    return parts.isEmpty ? "Only you" : "Shared with \(parts.joined(separator: ", "))"
  }

  /// The share in documents.
  func document(on remote: String) -> JSONObject {
    [
      "id": .string(id), "remote": .string(remote), "domain": .string(domain),
      "zone": .string(zone.text), "title": .string(title), "role": .string(role.rawValue),
      "owner": role == .owner ? .null : .string(owner.name),
      "participants": .array(
        participants.map { participant in
          [
            "id": .string(participant.id), "name": .string(participant.name),
            "role": .string(participant.role.rawValue),
            "state": .string(participant.state.rawValue),
          ]
        }),
      "summary": .string(summary),
    ]
  }

  /// The columns of a table of shares.
  static let columns = [
    ReportTable.Column("title", flexible: true), ReportTable.Column("domain"),
    ReportTable.Column("part"),
    ReportTable.Column("with", flexible: true), ReportTable.Column("id"),
  ]

  /// The share as a row.
  var cells: [ReportTable.Cell] {
    [
      ReportTable.Cell(title), ReportTable.Cell(domain), ReportTable.Cell(role.rawValue),
      ReportTable.Cell(summary),
      ReportTable.Cell(id),
    ]
  }
}

extension CommandContext {
  /// Prints a share as `cloudsync.share/1`, with further keys.
  func print(
    _ share: WireShare, on remote: String, _ more: JSONObject = [:], text: String? = nil
  ) {
    var document = share.document(on: remote)
    for (key, value) in more.members { document[key] = value }
    print(
      Report(
        "cloudsync.share/1", document, table: ReportTable(WireShare.columns, rows: [share.cells]),
        text: text.map { Sanitized.block($0) }
          ?? "\(Sanitized.line("\(share.title): \(share.summary)"))\n"
      ))
  }
}

import CommandFoundation
import SyncKitFormats
import SyncKitHTTP
import SyncKit
import SyncKitEncryption
import SyncWire

extension PersonalShare {
  /// The participants, in a few words.
  ///
  /// `Only you`, `Shared with Anna (writer), Ben (reader), Carl (reader, pending)`, or for a guest `Shared by Anna
  /// (reader)`. Of an encrypted share, `unverified` stands with those whose words were not compared.
  var summary: String {
    func mark(_ id: String) -> String { isUnverified(id) ? ", unverified" : "" }
    guard share.role == .owner else {
      return "Shared by \(share.owner.name) (\(share.role.rawValue)\(mark(Self.owner)))"
    }
    let parts = share.participants.filter { $0.state != .removed }.map { participant in
      let state = participant.state == .pending ? ", pending" : mark(participant.id)
      return "\(participant.name) (\(participant.role.rawValue)\(state))"
    }
    return parts.isEmpty ? "Only you" : "Shared with \(parts.joined(separator: ", "))"
  }

  /// Whether somebody's words could be compared and were not.
  func isUnverified(_ id: String) -> Bool { cards[id] != nil && !verified.contains(id) }

  /// The share in documents.
  func document(on remote: String) -> JSONObject {
    var document: JSONObject = [
      "id": .string(share.id), "remote": .string(remote), "domain": .string(share.domain),
      "zone": .string(share.zone.text), "title": .string(share.title),
      "role": .string(share.role.rawValue),
      "owner": share.role == .owner ? .null : .string(share.owner.name),
      "encrypted": .bool(isEncrypted),
      "participants": .array(
        share.participants.map { participant in
          var person: JSONObject = [
            "id": .string(participant.id), "name": .string(participant.name),
            "role": .string(participant.role.rawValue),
            "state": .string(participant.state.rawValue),
          ]
          describe(participant.id, in: &person)
          return .object(person)
        }),
      "summary": .string(summary),
    ]
    describe(Self.owner, in: &document)
    if let ownWords { document["ownWords"] = .string(ownWords) }
    return document
  }

  private func describe(_ id: String, in document: inout JSONObject) {
    guard let card = cards[id] else { return }
    document["words"] = .string(card.words)
    document["verified"] = .bool(verified.contains(id))
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
      ReportTable.Cell(share.title), ReportTable.Cell(share.domain),
      ReportTable.Cell(share.role.rawValue), ReportTable.Cell(summary), ReportTable.Cell(share.id),
    ]
  }
}

extension CommandContext {
  /// Prints a share as `cloudsync.share/1`, with further keys.
  func print(
    _ share: PersonalShare, on remote: String, _ more: JSONObject = [:], text: String? = nil
  ) {
    var document = share.document(on: remote)
    for (key, value) in more.members { document[key] = value }
    print(
      Report(
        "cloudsync.share/1", document,
        table: ReportTable(PersonalShare.columns, rows: [share.cells]),
        text: text.map { Sanitized.block($0) }
          ?? "\(Sanitized.line("\(share.title): \(share.summary)"))\n"
      ))
  }
}

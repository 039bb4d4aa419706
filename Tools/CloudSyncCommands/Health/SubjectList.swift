import ArgumentParser
import CommandFoundation
import SyncKitFormats
import HealthRecords
import SyncKit

/// The command `cloudsync health subject list`.
struct SubjectList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List people and pets, and whether their records sync.",
    discussion: examples("cloudsync health subject list", "cloudsync health subject list --json"))

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let store = try Session(context).store(HealthRegistration.domain.name)
    var counts: [RecordID: Int] = [:]
    for kind in EntryKind.allCases {
      try store.forEachRecord(in: kind.collection) { record in
        if let parent = record.parent { counts[parent.id, default: 0] += 1 }
      }
    }
    let subjects = try store.healthSubjects()
    var listing = context.listing(
      "cloudsync.health.subject.list/1", records: "subjects",
      columns: [
        ReportTable.Column("id"), ReportTable.Column("name", flexible: true),
        ReportTable.Column("kind"),
        ReportTable.Column("born"), ReportTable.Column("entries", numeric: true),
        ReportTable.Column("scope"),
      ])
    for subject in subjects {
      let id = subject.record.key.id
      let scope = subject.record.scope
      var document: JSONObject = [
        "id": .string(id.text), "name": .string(subject.displayName),
        "kind": subject.isPet ? "pet" : "person",
        "born": subject.birthdate.map { .string($0.text) } ?? .null,
        "entries": .int(Int64(counts[id] ?? 0)), "scope": .string(scope.rawValue),
      ]
      for (key, value) in subject.record.sharing.members { document[key] = value }
      listing.add(
        .object(document),
        [
          ReportTable.Cell(id.text), ReportTable.Cell(subject.displayName),
          subject.isPet ? "pet" : "person", ReportTable.Cell(subject.birthdate?.text ?? ""),
          ReportTable.Cell(counts[id] ?? 0),
          ReportTable.Cell(subject.record.badge, style: scope == .local ? .dim : .good),
        ])
    }
    listing.finish()
  }
}

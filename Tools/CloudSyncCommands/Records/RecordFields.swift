import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync <domain> fields`.
struct RecordFields<D: DomainRegistration>: ContextCommand {
  static var configuration: CommandConfiguration {
    let name = D.commandPath
    return CommandConfiguration(
      commandName: "fields", abstract: "List the collections and their fields.",
      discussion: examples(
        "cloudsync \(name) fields", "cloudsync \(name) fields --json",
        after: "They are what 'add' and 'set' take; members of a group are kept or lost together."))
  }

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    // What the fields are does not depend on a store that can be read.
    let counts = try? Session(context).store(D.domain.name).counts()
    let rows = D.domain.schema.collections.flatMap { type in
      type.fieldNames.map { name -> [ReportTable.Cell] in
        let type = (type, type.field(name), type.group(of: name))
        return [
          ReportTable.Cell(type.0.name.text), ReportTable.Cell(name.text),
          ReportTable.Cell(type.1?.type.rawValue ?? ""),
          ReportTable.Cell(type.1?.type.phrase ?? ""), ReportTable.Cell(type.2?.name.text ?? ""),
        ]
      }
    }
    context.print(
      Report(
        "cloudsync.fields/1",
        [
          "domain": .string(D.domain.name),
          "collections": .array(
            D.domain.schema.collections.map { type in
              Self.document(type, records: counts.map { $0[type.name] ?? 0 })
            }),
        ], records: "collections",
        table: ReportTable(
          [
            ReportTable.Column("collection"), ReportTable.Column("field"),
            ReportTable.Column("type"), ReportTable.Column("takes", flexible: true),
            ReportTable.Column("group"),
          ], rows: rows)))
  }

  private static func document(_ type: RecordType, records: Int?) -> JSON {
    [
      "name": .string(type.name.text),
      "local": .bool(type.placement == .local),
      "root": .bool(type.placement == .root),
      "parents": .array(type.parents.map { .string($0.text) }),
      "records": records.map { .int(Int64($0)) } ?? .null,
      "fields": .array(
        type.fieldNames.map { name in
          let field = type.field(name)
          return [
            "name": .string(name.text), "type": .string(field?.type.rawValue ?? "any"),
            "group": type.group(of: name).map { .string($0.name.text) } ?? .null,
            "local": .bool(field?.isLocal ?? false),
          ]
        }),
    ]
  }
}

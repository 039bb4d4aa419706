import CommandFoundation
import SyncKitFormats
import SyncKit

/// Writes records of any domain in the general form, which ``RecordFileReader`` reads back.
struct RecordFileWriter<D: DomainRegistration> {
  let records: [Record]
  let collections: [RecordType]

  /// The file in a format.
  ///
  /// - Throws: ``SyncError`` `usage` for one that does not exist.
  func bytes(_ format: String) throws -> [UInt8] {
    switch format {
    case "json", "records": return document
    case "csv": return try table
    default: throw SyncError.unknownName("format", format, among: ["json", "csv", "records"])
    }
  }

  /// The output of a list, one line per record.
  private var document: [UInt8] {
    var bytes = Array("{\"schema\":\"cloudsync.\(D.domain.name).list/1\",\"records\":[\n".utf8)
    for (index, record) in records.enumerated() {
      bytes += D.json(record).serialized()
      if index < records.count - 1 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(UInt8(ascii: "\n"))
    }
    bytes += Array("]}\n".utf8)
    return bytes
  }

  /// One collection, with a column for each field.
  private var table: [UInt8] {
    get throws {
      guard let collection = collections.first else { return [] }
      let names = collection.fieldNames
      var writer = CSVWriter(lineEnding: .lf)
      writer.write(["collection", "id", "parent"] + names.map(\.text) + ["modified"])
      for record in records where record.key.collection == collection.name {
        writer.write(
          [record.key.collection.text, record.key.id.text, record.parent.map { "\($0)" } ?? ""]
            + names.map { record[$0].text } + [Timestamp.format(milliseconds: record.modified)])
      }
      return writer.takeOutput()
    }
  }
}

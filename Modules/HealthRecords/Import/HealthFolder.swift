import SyncKitFormats
import SyncKit

/// Reads a folder: an unpacked export of Apple Health, or the files of FHIR's bulk export.
///
/// The files of a bulk export belong together: the patients of one are those of the others.
enum HealthFolder {
  /// The records of the folder; nil when it holds none of these.
  static func records(
    _ paths: [String], _ options: HealthImportOptions, _ read: (String) throws -> [UInt8]
  ) throws -> ImportedRecords? {
    for path in paths where path.lowercased().hasSuffix(".xml") {
      let bytes = try read(path)
      guard AppleHealthImport.isOne(bytes) else { continue }
      var reader = try AppleHealthImport(options)
      try reader.read(bytes[...])
      return try reader.finish()
    }
    var documents: [JSON] = []
    for path in paths {
      let name = path.lowercased()
      guard [".ndjson", ".jsonl", ".json"].contains(where: name.hasSuffix) else { continue }
      documents += try HealthFile.resources(in: read(path), of: path)
    }
    guard !documents.isEmpty else { return nil }
    var reader = FHIRImport(EntryCollector(options))
    return try reader.read(documents)
  }
}

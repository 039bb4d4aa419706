import SyncKitFormats
import SyncKit

/// Detects which of the domain's formats a file has, and reads it.
///
/// | Format | Recognised by |
/// |---|---|
/// | FHIR of DSTU2 to R5: a bundle, a resource, a list, or a resource a line | `resourceType` |
/// | the app's export | `personalinformation` or `exportVersion` |
/// | the app's cloud records | `bloodEntries` and the like, or `recordType` with `fields` |
/// | a table of measurements | CSV without the column `id` |
///
/// Apple Health's export is read piece by piece, see ``AppleHealthImport``.
struct HealthFile {
  private enum Content {
    case apple([UInt8])
    case fhir([JSON]), app(JSON), cloud([JSON]), table([UInt8])
  }

  private let content: Content
  private let options: HealthImportOptions

  /// Takes a file; nil if its format is none of these.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when the file does not have the stated format.
  init?(_ bytes: [UInt8], format: String?, options: HealthImportOptions) throws {
    self.options = options
    if let text = try Self.markup(bytes) {
      content = .apple(text)
      return
    }
    let first = bytes.first { $0 > 0x20 && $0 < 0x80 }
    let opensJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    switch format {
    case "csv", "tsv": content = .table(bytes)
    case nil where !opensJSON, "txt" where !opensJSON: content = .table(bytes)
    case nil, "txt", "json", "ndjson", "jsonl", "app", "cloud", "fhir", "fhir-r4", "fhir-r5":
      guard let found = try Self.json(bytes, format) else { return nil }
      content = found
    default: return nil
    }
    if case .table(let bytes) = content, MeasurementTable.isGeneral(bytes) { return nil }
  }

  /// Apple's export in an encoding other than UTF-8; nil for a text that is no markup.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` for files that are none of ours, by what they are.
  private static func markup(_ bytes: [UInt8]) throws -> [UInt8]? {
    switch FileContent(of: bytes) {
    case .text: return nil
    case .markup: break
    case .zip:
      throw SyncError(
        .inputInvalid, "The archive holds no export.xml of Apple Health.",
        hint: "unpack it and import the files in it one by one")
    case let other:
      throw SyncError(
        .inputInvalid,
        "The file is \(other.rawValue), which holds no health records that are read.",
        hint: "see 'cloudsync health import --help' for the formats")
    }
    let text = (try? DecodedText(bytes))?.utf8 ?? bytes
    if AppleHealthImport.isOne(text) { return text }
    let head = String(decoding: text.prefix(4096), as: UTF8.self)
    if head.contains("ClinicalDocument") {
      throw SyncError(
        .inputInvalid, "The file is a clinical document (CDA), which is not read.",
        hint: "of an export of Apple Health, import export.xml or the whole archive")
    }
    if head.contains("http://hl7.org/fhir") {
      throw SyncError(
        .inputInvalid, "The file is FHIR in XML, which is not read.", hint: "export it as JSON")
    }
    throw SyncError(
      .inputInvalid, "The file is XML or HTML, but no export of Apple Health.",
      hint: "see 'cloudsync health import --help' for the formats")
  }

  private static func json(_ bytes: [UInt8], _ format: String?) throws -> Content? {
    let document: JSON
    do throws(JSONError) { document = try JSON(parsing: bytes) } catch {
      if let lines = try lines(bytes) { return .fhir(lines) }
      throw SyncError(
        .inputInvalid, "The file is not valid JSON: line \(error.line), column \(error.column).")
    }
    if document["resourceType"]?.string != nil { return .fhir([document]) }
    if let list = document.array, !list.isEmpty,
      list.allSatisfy({ $0["resourceType"]?.string != nil })
    {
      return .fhir(list)
    }
    if document["personalinformation"] != nil || document["exportVersion"] != nil {
      return .app(document)
    }
    let records = document["records"]?.array ?? document.array ?? [document]
    if !records.isEmpty, records.allSatisfy(CloudRecord.isOne) { return .cloud(records) }
    guard let format, !["json", "txt", "ndjson", "jsonl"].contains(format) else { return nil }
    throw SyncError(.inputInvalid, "The file is not in the format '\(format)'.")
  }

  /// The resources of a bulk export, one a line; nil when the first line is no resource.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` with the line that is no JSON.
  private static func lines(_ bytes: [UInt8]) throws -> [JSON]? {
    var documents: [JSON] = []
    for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
    where line.contains(where: { $0 > 0x20 }) {
      guard let document = try? JSON(parsing: Array(line)) else {
        if documents.isEmpty { return nil }
        throw SyncError(.inputInvalid, "Line \(index + 1) is not valid JSON.")
      }
      guard document["resourceType"]?.string != nil else { return nil }
      documents.append(document)
    }
    return documents.isEmpty ? nil : documents
  }

  /// The FHIR resources of a file in a folder; none when it holds something else.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` with the file and the line that is no JSON.
  static func resources(in bytes: [UInt8], of path: String) throws -> [JSON] {
    let isResource = { (json: JSON) in json["resourceType"]?.string != nil }
    if let document = try? JSON(parsing: bytes) {
      return (document.array ?? [document]).filter(isResource)
    }
    do { return try lines(bytes) ?? [] } catch let error as SyncError {
      throw SyncError(error.code, "\(path): \(error.message)", hint: error.hint)
    }
  }

  func records() throws -> ImportedRecords {
    var collector = EntryCollector(options)
    switch content {
    case .apple(let text):
      var reader = try AppleHealthImport(options)
      try reader.read(text[...])
      return try reader.finish()
    case .fhir(let documents):
      var reader = FHIRImport(collector)
      return try reader.read(documents)
    case .app(let document): try AppImport.read(document, into: &collector)
    case .cloud(let records):
      for (index, record) in records.enumerated() {
        try CloudRecord(record).read(row: index + 1, into: &collector)
      }
    case .table(let bytes): try MeasurementTable.read(bytes, into: &collector)
    }
    return collector.records()
  }
}

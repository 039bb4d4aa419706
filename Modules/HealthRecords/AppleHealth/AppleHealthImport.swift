import SyncKitFormats
import SyncKit

/// Reads `export.xml` of Apple Health piece by piece, of any length.
///
/// | In the export | Becomes |
/// |---|---|
/// | `Me` | birthday, sex and blood type, where the subject has none yet |
/// | `BodyMass` | one weight each |
/// | blood pressure, as a `Correlation` or as two records of one time | one reading each |
/// | series of ``AppleSeries`` | one reading each, or one for each day where a watch takes them |
/// | all else | counted by type and left out |
///
/// Days are local to the place of measurement. The document type declaration, which is broken
/// since iOS 16, and stray control characters are ignored.
struct AppleHealthImport: StreamingImport {
  private let reader: XMLEventReader
  private let gatherer: AppleGatherer

  /// Whether a file is such an export, by its first bytes.
  static func isOne(_ head: [UInt8]) -> Bool {
    let text = String(decoding: head.prefix(4096), as: UTF8.self)
    return text.contains("<HealthData") || text.contains("<!DOCTYPE HealthData")
  }

  init(_ options: HealthImportOptions) throws {
    let gatherer = try AppleGatherer(options)
    self.gatherer = gatherer
    reader = try XMLEventReader(options: .exports) { event in gatherer.take(event) }
    gatherer.reader = reader
  }

  mutating func read(_ chunk: ArraySlice<UInt8>) throws {
    do { try reader.feed(chunk) } catch let error as XMLError { throw Self.refusal(error) }
  }

  mutating func finish() throws -> ImportedRecords {
    do { try reader.finish() } catch let error as XMLError { throw Self.refusal(error) }
    return gatherer.finished()
  }

  /// The position alone: the parser's message could repeat content of the file.
  private static func refusal(_ error: XMLError) -> SyncError {
    SyncError(
      .inputInvalid, "Could not read the export at line \(error.line), column \(error.column).",
      hint: "export again, or unpack the archive and try export.xml")
  }
}

import SyncKitFormats
import SyncKit

/// An export format of the domain.
public enum HealthExportFormat: String, CaseIterable, Sendable {
  /// The app's own export, of one person or pet.
  case app
  /// The wire form of the app's cloud records.
  case cloud
  /// A FHIR bundle of release R4B, which readers of R4 accept.
  case fhir
  /// A FHIR bundle of release R5.
  case fhirR5 = "fhir-r5"
}

/// Writes people and pets with their entries as files; the same records always give the same bytes.
struct HealthExport {
  private let trees: [HealthTree]

  init(_ records: [Record]) { trees = HealthTree.trees(records) }

  func bytes(_ format: HealthExportFormat) throws -> [UInt8] {
    let document: JSON
    switch format {
    case .app:
      guard trees.count == 1 else {
        throw SyncError(
          .inputInvalid, "The app's format holds one person or pet, but there are \(trees.count).",
          hint: "choose one with --subject")
      }
      document = AppExport(trees[0]).document
    case .cloud: document = ["records": .array(trees.map { CloudExport($0).document })]
    case .fhir: document = FHIRExport(trees, release: .r4b).collection
    case .fhirR5: document = FHIRExport(trees, release: .r5).collection
    }
    return document.serialized(pretty: true) + [0x0A]
  }
}

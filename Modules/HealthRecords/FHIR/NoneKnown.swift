import SyncKitFormats
import SyncKit

/// Statements that nothing of a kind is known, such as "no known allergies".
///
/// They are no allergies, medicines or illnesses, and differ from not knowing: someone asked.
///
/// Source: the code system of the [International Patient Summary](https://hl7.org/fhir/uv/ips/) for
/// absent and unknown data, and SNOMED CT.
enum NoneKnown {
  static let system = "http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips"

  /// Codes of such statements, of the summary and of SNOMED CT.
  private static let codes: Set<String> = [
    "no-known-allergies", "no-known-medication-allergies", "no-known-environmental-allergies",
    "no-known-food-allergies", "no-known-problems", "no-known-medications",
    "716186003", "409137002", "429625007", "428607008", "716184000", "716220001", "428197003",
    "160244002", "1003774007", "160245001", "787481004",
  ]

  /// Codes that say only that there is no information.
  private static let unknown: Set<String> = [
    "no-allergy-info", "no-problem-info", "no-medication-info", "182904002",
  ]

  /// Whether a concept states that nothing is known of the kind.
  static func isStatement(_ concept: JSON?, _ kind: EntryKind) -> Bool {
    guard let concept else { return false }
    if codes.contains(where: concept.code) { return true }
    return concept.words.map { isStatement($0, kind) } ?? false
  }

  /// Whether a concept says only that there is no information.
  static func isUnknown(_ concept: JSON?) -> Bool {
    concept.map { concept in unknown.contains(where: concept.code) } ?? false
  }

  /// Whether a name is such a statement, in one of several languages.
  static func isStatement(_ name: String, _ kind: EntryKind) -> Bool {
    let separators: Set<Character> = [" ", ".", ",", ";", "(", ")", "-", "\u{2019}", "'", "/"]
    // SNOMED CT names the kind of concept at the end: "No known allergy (situation)".
    let text = name.folded.split(whereSeparator: separators.contains)
      .filter { $0 != "situation" && $0 != "finding" }.joined(separator: " ")
    switch kind {
    case .allergy: return allergyNames.contains(text) || anyNames.contains(text)
    case .drug: return drugNames.contains(text) || anyNames.contains(text)
    case .illness: return illnessNames.contains(text) || anyNames.contains(text)
    default: return false
    }
  }

  private static let anyNames: Set<String> = [
    "none", "none known", "nil known", "none reported", "keine", "keine bekannt", "aucun", "aucune",
    "ninguna", "ninguno", "nessuna", "nessuno", "geen", "inga", "ingen", "brak", "nenhuma", "なし",
    "无", "없음",
  ]

  private static let allergyNames: Set<String> = [
    "no known allergies", "no known allergy", "no allergies", "no allergies known",
    "no known drug allergies", "no known drug allergy", "no known medication allergies",
    "no known medication allergy", "no known medicine allergies", "no known food allergies",
    "no known food allergy", "no known environmental allergies", "no known environmental allergy",
    "no known latex allergy", "no known allergies nka", "no known drug allergies nkda",
    "nka", "nkda", "nkfa", "nkma", "keine bekannten allergien", "keine allergien bekannt",
    "keine allergien", "keine allergie bekannt", "aucune allergie connue", "aucune allergie",
    "pas d allergie connue", "pas d allergies connues", "sin alergias conocidas", "sin alergias",
    "no se conocen alergias", "ninguna alergia conocida", "nessuna allergia nota",
    "nessuna allergia", "nessuna allergia conosciuta", "sem alergias conhecidas",
    "nenhuma alergia conhecida", "geen bekende allergieën", "geen allergieën",
    "inga kända allergier",
    "inga allergier", "ingen kjente allergier", "ingen kendte allergier", "ingen allergier",
    "ei tunnettuja allergioita", "brak znanych alergii", "brak alergii", "アレルギーなし", "アレルギー なし",
  ]

  private static let drugNames: Set<String> = [
    "no known medications", "no medications", "no current medications", "no current medication",
    "not taking any medications", "patient not on self medications", "keine medikamente",
    "keine dauermedikation", "aucun médicament", "ningún medicamento", "nessun farmaco",
  ]

  private static let illnessNames: Set<String> = [
    "no known problems", "no active problems", "no current problems", "no known conditions",
    "no current problems or disability", "no known health problems", "keine bekannten erkrankungen",
    "keine vorerkrankungen",
  ]

  /// The statement in our words.
  static func name(of kind: EntryKind) -> String {
    switch kind {
    case .allergy: "No known allergies"
    case .drug: "No known medicines"
    default: "No known problems"
    }
  }

  /// The kind that a section or a list is about.
  static func kind(ofSection code: JSON?) -> EntryKind? {
    switch code?.code(in: FHIRTerms.loinc) {
    case "48765-2"?, "52472-8"?: .allergy
    case "10160-0"?, "29549-3"?: .drug
    case "11450-4"?: .illness
    default: nil
    }
  }

  /// The code of a statement, where its name is one of those that the summary has codes for.
  static func code(_ name: String?, _ kind: EntryKind) -> String? {
    let text = name?.folded ?? ""
    switch kind {
    case .allergy:
      if text.contains("drug") || text.contains("medic") || text == "nkda" || text == "nkma" {
        return "no-known-medication-allergies"
      }
      if text.contains("food") || text == "nkfa" { return "no-known-food-allergies" }
      if text.contains("environment") { return "no-known-environmental-allergies" }
      return text.contains("latex") || text.contains("animal") || text.contains("insect")
        || !isStatement(text, kind) && !text.isEmpty ? nil : "no-known-allergies"
    case .drug: return "no-known-medications"
    case .illness: return "no-known-problems"
    default: return nil
    }
  }
}

extension HealthEntry {
  /// Whether the entry says that nothing of its kind is known.
  public var isNoneKnown: Bool {
    status == .noneKnown
      || status == nil && NoneKnown.isStatement(record[kind.title].string ?? "", kind)
  }
}

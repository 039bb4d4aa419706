import SyncKitFormats

/// Reads the medicine of a statement or an order, and how it is taken.
struct FHIRMedicine {
  private let json: JSON

  init(_ json: JSON) { self.json = json }

  /// The name that the resource itself has; nil when only a reference could tell.
  var name: String? {
    let concept = json["medicationCodeableConcept"] ?? json["medication"]?["concept"]
    return concept?.words ?? json["medicationReference"]?["display"]?.string?.nonEmpty
      ?? json["medication"]?["reference"]?["display"]?.string?.nonEmpty
  }

  /// The name of a Medication resource: its code, else its ingredients.
  static func name(of medication: JSON) -> String? {
    if let words = medication["code"]?.words { return words }
    let ingredients =
      medication["ingredient"]?.array
      ?? medication["product"]?["ingredient"]?.array ?? []
    let names = ingredients.compactMap { part in
      part["itemCodeableConcept"]?.words ?? part["item"]?["concept"]?.words
        ?? part["itemReference"]?["display"]?.string?.nonEmpty
        ?? part["item"]?["display"]?.string?.nonEmpty
    }
    return names.isEmpty ? nil : names.joined(separator: " + ")
  }

  /// The name with the dosage, unless the name has it already.
  func nameAndDosage(_ name: String) -> String {
    guard let dosage, !name.folded.contains(dosage.folded) else { return name }
    return "\(name), \(dosage)"
  }

  private var dosages: [JSON] {
    json["dosageInstruction"]?.array ?? json["dosage"]?.array ?? []
  }

  /// How it is taken, in words.
  var dosage: String? {
    if let text = json["renderedDosageInstruction"]?.string?.nonEmpty { return text }
    let texts = dosages.compactMap(Self.text)
    return texts.isEmpty ? nil : texts.joined(separator: "; ")
  }

  private static func text(_ dosage: JSON) -> String? {
    if let text = dosage["text"]?.string?.nonEmpty { return text }
    let rate = dosage["doseAndRate"]?[0] ?? dosage
    let dose =
      (rate["doseQuantity"] ?? dosage["quantityQuantity"])?.quantityWords
      ?? (rate["doseRange"] ?? dosage["quantityRange"])?.rangeWords
    let timing = dosage["timing"]
    let asNeeded =
      dosage["asNeededBoolean"]?.bool == true || dosage["asNeeded"]?.bool == true
      ? "as needed"
      : (dosage["asNeededCodeableConcept"] ?? dosage["asNeededFor"]?[0])?.words
        .map { "as needed for \($0)" }
    let more = (dosage["additionalInstruction"] ?? dosage["additionalInstructions"])?.array ?? []
    let parts =
      [
        dose, timing?["code"]?.words ?? timing?["repeat"]?.frequencyWords,
        dosage["route"]?.words, asNeeded,
      ] + more.map(\.words)
      + [dosage["patientInstruction"]?.string?.nonEmpty]
    let found = parts.compactMap(\.self)
    return found.isEmpty ? nil : found.joined(separator: ", ")
  }

  /// The day on which taking it ends, if every dosage has one.
  var end: String? {
    let ends = dosages.map { $0["timing"]?["repeat"]?["boundsPeriod"]?["end"]?.string }
    guard !ends.isEmpty, ends.allSatisfy({ $0 != nil }) else { return nil }
    return ends.compactMap(\.self).max()
  }
}

extension JSON {
  /// How often, from the parts of a repeat: `2 times per day`, `every 8 h`.
  var frequencyWords: String? {
    let unit: String? =
      switch self["periodUnit"]?.string ?? self["periodUnits"]?.string {
      case "s"?: "s"
      case "min"?: "min"
      case "h"?: "h"
      case "d"?: "day"
      case "wk"?: "week"
      case "mo"?: "month"
      case "a"?: "year"
      default: nil
      }
    let times =
      (self["when"]?.array?.compactMap(\.string) ?? [self["when"]?.string].compactMap(\.self))
      .compactMap { Self.times[$0] ?? $0.nonEmpty }
    let hours = (self["timeOfDay"]?.array ?? []).compactMap {
      $0.string.map { String($0.prefix(5)) }
    }
    guard let period = self["period"]?.double, let unit else {
      let parts = times + hours.map { "at \($0)" }
      return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
    let count = self["frequency"]?.double ?? 1
    let most = self["frequencyMax"]?.double.map { " to \($0.plainText)" } ?? ""
    let each = period == 1 ? unit : "\(period.plainText) \(unit)\(unit.count > 3 ? "s" : "")"
    let rhythm =
      count == 1 && most.isEmpty
      ? "every \(each)" : "\(count.plainText)\(most) times per \(each)"
    return ([rhythm] + times + hours.map { "at \($0)" }).joined(separator: ", ")
  }

  private static let times = [
    "MORN": "in the morning", "AFT": "in the afternoon", "EVE": "in the evening",
    "NIGHT": "at night", "HS": "before sleep", "WAKE": "after waking", "C": "with a meal",
    "CM": "with breakfast", "CD": "with lunch", "CV": "with dinner", "AC": "before a meal",
    "ACM": "before breakfast", "ACD": "before lunch", "ACV": "before dinner",
    "PC": "after a meal", "PCM": "after breakfast", "PCD": "after lunch", "PCV": "after dinner",
  ]
}

import SyncKitFormats

/// Values of FHIR in words, for what has no field of its own.
extension JSON {
  /// The unit of a quantity: its code where it is one of UCUM, else its text.
  var quantityUnit: String? {
    let code = self["code"]?.string?.nonEmpty
    let unit = self["unit"]?.string?.nonEmpty ?? self["units"]?.string?.nonEmpty
    let system = self["system"]?.string
    let isUCUM = system == nil || system == FHIRTerms.ucum
    return isUCUM ? code ?? unit : unit ?? code
  }

  /// The number of a quantity, also where it is written as text.
  var quantityValue: Double? {
    self["value"]?.double ?? self["value"]?.string.flatMap { Double(plain: $0) }
  }

  /// `< 5 mg/L`.
  var quantityWords: String? {
    guard let value = quantityValue else { return nil }
    let parts = [self["comparator"]?.string, value.plainText, self["unit"]?.string ?? quantityUnit]
    return parts.compactMap { $0?.nonEmpty }.filter { $0 != "1" || $0 == value.plainText }
      .joined(separator: " ")
  }

  /// `3.5 to 5.1 mmol/L`, `at most 5 mg/L`.
  var rangeWords: String? {
    let unit =
      (self["high"] ?? self["low"])?["unit"]?.string ?? (self["high"] ?? self["low"])?.quantityUnit
    let tail = unit.map { $0 == "1" ? "" : " \($0)" } ?? ""
    switch (self["low"]?.quantityValue, self["high"]?.quantityValue) {
    case (let low?, let high?): return "\(low.plainText) to \(high.plainText)\(tail)"
    case (let low?, nil): return "at least \(low.plainText)\(tail)"
    case (nil, let high?): return "at most \(high.plainText)\(tail)"
    case (nil, nil): return nil
    }
  }

  /// `1:128`, or the two quantities.
  var ratioWords: String? {
    guard let upper = self["numerator"]?.quantityWords,
      let lower = self["denominator"]?.quantityWords
    else { return nil }
    let isTitre = self["numerator"]?.quantityUnit == nil && self["denominator"]?.quantityUnit == nil
    return isTitre ? "\(upper):\(lower)" : "\(upper) / \(lower)"
  }

  /// `2024-01-15 to 2024-01-20`.
  var periodWords: String? {
    let parts = [self["start"]?.string, self["end"]?.string].compactMap { $0?.nonEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: " to ")
  }

  /// The words of a concept, of each in a list, or of a reference to one (R5).
  var allWords: [String] {
    let list = array ?? [self]
    return list.compactMap { part in
      part.words ?? part["concept"]?.words ?? part["display"]?.string?.nonEmpty
        ?? part["reference"]?["display"]?.string?.nonEmpty
    }
  }

  /// What an element of several types says in words, such as `onset`: age, range, period or text.
  func choiceWords(_ name: String) -> String? {
    self["\(name)String"]?.string?.nonEmpty ?? self["\(name)Age"]?.quantityWords.map { "at \($0)" }
      ?? self["\(name)Quantity"]?.quantityWords.map { "at \($0)" }
      ?? self["\(name)Range"]?.rangeWords.map { "at \($0)" }
  }

  /// Whether a concept has a code, in whatever system.
  func code(_ code: String) -> Bool {
    (self["coding"]?.array ?? []).contains { $0["code"]?.string == code }
  }

  /// The texts of all notes, a line each; early releases have one text, under several names.
  var notes: String? {
    let note = self["note"]
    var texts = (note?.array ?? []).compactMap { $0["text"]?.string ?? $0["markdown"]?.string }
    texts += [
      note?.string, note?["text"]?.string, self["notes"]?.string, self["comments"]?.string,
      self["comment"]?.string,
    ].compactMap(\.self)
    texts = texts.filter { !$0.trimmed.isEmpty }
    return texts.isEmpty ? nil : texts.joined(separator: "\n")
  }
}

extension String {
  /// The text, or nil when it is blank.
  var nonEmpty: String? { trimmed.isEmpty ? nil : self }
}

import Hummingbird
import PageTemplates

extension WebSite {
  /// Adds an entry of a person or pet; what is wrong with it stands by the field.
  func addEntry(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    var attempt = EntryAttempt(request.form)
    guard EntryAttempt.kinds.contains(attempt.kind) else { throw WebFailure(404, .unknownPage) }
    if attempt.isComplete(words) {
      let outcome = try await program.run(
        ["health", "entry", "add"] + attempt.options,
        names: [request["id"], attempt.kind] + attempt.names)
      guard let failure = outcome.failure else {
        tell(outcome, domain: "health", done: words["record.added"])
        // The form has led to its own place, where what is wrong stands; what has been done stands on top.
        return .redirect(to: personAddress(request["id"]) + "#content")
      }
      attempt.note(failure)
    }
    return try await person(request, attempt: attempt)
  }
}

/// What a person has typed into the form for an entry, and what is wrong with it.
struct EntryAttempt {
  /// A place for a value.
  enum Place: String, CaseIterable {
    case text, date, due, phone, remark
  }

  /// The kinds of entries, the most frequent first.
  static let kinds = [
    "blood", "weight", "drug", "vaccination", "allergy", "illness", "risk", "history", "doctor",
    "emergencyContact", "document", "petCost",
  ]

  private(set) var kind = kinds[0]
  private var values: [Place: String] = [:]
  private var errors: [Place: String] = [:]

  init() {}

  init(_ form: FormValues) {
    kind = form["kind"] ?? ""
    for place in Place.allCases { values[place] = form[place.rawValue] }
  }

  /// The field for a value in entries of the kind; nil where they have none.
  private func field(_ place: Place) -> String? {
    switch place {
    case .text: HealthEntryText.titleField(kind)
    case .date: ["doctor", "emergencyContact"].contains(kind) ? nil : "date"
    case .due: ["vaccination": "nextDue", "drug": "refillDue"][kind]
    case .phone: ["doctor", "emergencyContact"].contains(kind) ? "phone" : nil
    case .remark: HealthEntryText.remarkField(kind)
    }
  }

  /// Whether the form can be a command; notes what is missing or out of place.
  mutating func isComplete(_ words: WebWords) -> Bool {
    if values[.text] == nil { errors[.text] = words["entry.text.missing"] }
    for place in Place.allCases where values[place] != nil && field(place) == nil {
      errors[place] = words["entry.\(place.rawValue).unused"]
    }
    return errors.isEmpty
  }

  /// The options of the command.
  var options: [String] { values[.date].map { ["--date=\($0)"] } ?? [] }

  /// The arguments behind the kind.
  ///
  /// A weight is a text with its unit; all other texts say which field they are of, as
  /// they may hold an equals sign.
  var names: [String] {
    Place.allCases.compactMap { place in
      guard place != .date, let value = values[place], let field = field(place) else { return nil }
      return place == .text && kind == "weight" ? value : "\(field)=\(value)"
    }
  }

  /// Notes why the command has failed, by the field that it names.
  mutating func note(_ failure: CommandFailure) {
    let place = Place.allCases.first { place in
      field(place).map { failure.message.contains("'\($0)'") } ?? false
    }
    errors[place ?? .text] = [failure.message, failure.hint].compactMap(\.self)
      .joined(separator: " – ")
  }

  func values(_ words: WebWords) -> [String: Any] {
    [
      "isOpen": !errors.isEmpty,
      "kinds": Self.kinds.map { kind in
        [
          "name": kind, "label": words.name(kind, of: "collection"),
          "isChosen": kind == self.kind,
        ] as [String: Any]
      },
      "fields": Place.allCases.map { place in
        [
          "name": place.rawValue, "label": words["entry.\(place.rawValue)"],
          "help": words["entry.\(place.rawValue).help"], "value": values[place] ?? "",
          "isDate": place == .date || place == .due,
          "error": errors[place].map { ["text": $0] } ?? false,
        ] as [String: Any]
      },
    ]
  }
}

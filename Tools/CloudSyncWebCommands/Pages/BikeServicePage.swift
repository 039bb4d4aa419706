import Hummingbird
import PageTemplates
import SyncKitFormats

extension WebSite {
  /// The form for a service of one part, with its day, its costs and a note.
  func service(_ request: PageRequest) async throws -> WebAnswer {
    try await service(request, attempt: nil)
  }

  private func service(
    _ request: PageRequest, attempt: ServiceAttempt?
  ) async throws -> WebAnswer {
    let words = WebWords(request.language)
    async let due = document(["bike", "due"])
    let units = try await bikeUnits(words)
    let found = try await due["services"]?.array?.first {
      $0["interval"]?.string == request["interval"]
    }
    guard let found else { throw WebFailure(404, .unknownPage) }
    var values = (attempt ?? ServiceAttempt()).values(words)
    values["service"] = serviceValues(found, units)
    values["last"] =
      found["lastServiceDate"]?.string.map { ["on": words.instant($0)] as [String: Any] } ?? false
    return page(
      "service", title: words["bike.serviceOf", found["part"]?.string ?? ""], current: "bike",
      values, request.language, status: attempt == nil ? 200 : 422)
  }

  /// Records a service: that of today by a button of the list, or that of the form, where what is wrong stands by the
  /// field.
  func recordService(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    var attempt = ServiceAttempt(request.form)
    let command = ["bike", "service"] + attempt.options
    let names = [request["interval"]]
    guard request.form["details"] != nil else {
      try await change(command, names: names, domain: "bike", done: words["bike.serviced"])
      return .redirect(to: address("data/bike"))
    }
    let outcome = try await program.run(command, names: names)
    guard let failure = outcome.failure else {
      tell(outcome, domain: "bike", done: words[attempt.done])
      return .redirect(to: address("data/bike"))
    }
    attempt.note(failure)
    return try await service(request, attempt: attempt)
  }
}

/// What a person has typed into the form for a service, and what is wrong with it.
struct ServiceAttempt {
  /// A place for a value, by the option that it becomes.
  enum Place: String, CaseIterable {
    case date, cost, currency, note
  }

  private var values: [Place: String] = [:]
  private var errors: [Place: String] = [:]
  /// Whether the interval goes on as if nothing had been done.
  private var keepsInterval = false

  init() {}

  init(_ form: FormValues) {
    for place in Place.allCases { values[place] = form[place.rawValue] }
    keepsInterval = form["keep"] != nil
  }

  /// What to say when it has been recorded.
  var done: String { keepsInterval ? "bike.recorded" : "bike.serviced" }

  /// The options of the command, each in one argument.
  var options: [String] {
    Place.allCases.compactMap { place in
      values[place].map { "--\(place.rawValue)=\(place == .cost ? Self.number($0) : $0)" }
    } + (keepsInterval ? ["--no-reset"] : [])
  }

  /// A number as the command reads it, also from those who write a comma before its fraction.
  private static func number(_ text: String) -> String {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    return parts.count == 2 && !text.contains(".") ? parts.joined(separator: ".") : text
  }

  /// Notes why the command has failed, by the option that it names; a service is refused for its day otherwise.
  mutating func note(_ failure: CommandFailure) {
    let place = Place.allCases.first { failure.message.contains("--\($0.rawValue)") }
    errors[place ?? .date] = [failure.message, failure.hint].compactMap(\.self)
      .joined(separator: " – ")
  }

  func values(_ words: WebWords) -> [String: Any] {
    [
      "keeps": keepsInterval,
      "fields": Place.allCases.map { place in
        [
          "name": place.rawValue, "label": words["service.\(place.rawValue)"],
          "help": words["service.\(place.rawValue).help"], "value": values[place] ?? "",
          "isDate": place == .date, "error": errors[place].map { ["text": $0] } ?? false,
        ] as [String: Any]
      },
    ]
  }
}

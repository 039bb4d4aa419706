import Hummingbird
import PageTemplates

extension WebSite {
  /// The sections of the sheet for an emergency, as `health summary` calls them.
  private static let urgent: Set = [
    "Allergies and intolerances", "Medicines", "Problems", "Risks", "Emergency contacts", "Doctors",
  ]
  /// The kinds of entries in them: readings, of which there may be thousands, are not.
  private static let urgentKinds = [
    "allergy", "drug", "illness", "risk", "emergencyContact", "doctor",
  ]
  /// The facts of the sheet besides the blood type, which is always on it.
  private static let urgentFacts = ["Born", "Gender", "Breed", "Animal ID", "Insurance", "Owner"]

  /// What a doctor must see, on one sheet to print.
  ///
  /// What it shows is what `health summary` takes for current.
  func emergency(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let health = try await health(of: request["id"], kinds: Self.urgentKinds, words)
    let sections = health.sections(Self.urgent.contains)
    let known = Self.urgentFacts.compactMap { name in health.fact(name).map { (name, $0) } }
    let hasContacts = sections.contains {
      $0["label"] as? String == words.name("Emergency contacts", of: "section")
    }
    return page(
      "emergency", title: words["emergency.title", health.name], current: "health",
      [
        "name": health.name, "here": personAddress(health.id),
        "bloodType": health.fact("Blood type").map { ["text": $0] } ?? false,
        "facts": known.map { name, value in
          ["label": words.name(name, of: "fact"), "text": health.shown(value, of: name)]
        },
        "sections": sections, "lacksContacts": !hasContacts,
        "made": words["emergency.made", words.full(program.now())],
      ], request.language)
  }
}

/// A kind of bike, which decides the parts that need service.
public enum BikeKind: String, Sendable, CaseIterable {
  /// Suspended in front and behind.
  case fullSuspension = "full_suspension"
  /// Suspended in front.
  case hardtail
  /// Without suspension, for trails.
  case rigid
  /// For roads.
  case road
  /// For gravel.
  case gravel
  /// Nothing is known of it.
  case unknown

  /// Reads a kind, with blanks or hyphens for underscores, in any case.
  public init?(text: String) {
    let name = String(text.lowercased().map { $0 == "-" || $0 == " " ? "_" : $0 })
    self.init(rawValue: name)
  }

  /// The kind for Strava's number; nil for unknown numbers.
  ///
  /// The numbering is not documented: 1 mountain bike, 2 cyclo-cross, 3 road, 4 time trial, 5 gravel.
  /// A mountain bike may have one suspension or two, so it stays unknown.
  init?(frameType: Int64) {
    switch frameType {
    case 1: self = .unknown
    case 2, 5: self = .gravel
    case 3, 4: self = .road
    default: return nil
    }
  }

  /// The parts that a bike of this kind gets intervals for.
  public var defaultTemplates: [PartTemplate] {
    let ids: [String] =
      switch self {
      case .fullSuspension:
        ["chain", "fork_lowers", "rear_shock", "dropper_post", "brake_pads"]
      case .hardtail: ["chain", "fork_lowers", "brake_pads"]
      case .rigid, .road, .gravel: ["chain", "cassette", "brake_pads", "grips_tape"]
      case .unknown: ["chain", "fork_lowers", "rear_shock"]
      }
    return ids.compactMap { PartTemplate[$0] }
  }
}

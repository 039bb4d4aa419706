/// The bikes that each component was on over time, through all that it was mounted on.
///
/// A tyre on a wheel is on the bikes that the wheel was on at that time. A component is in one place
/// at a time: where installations of two devices overlap, the later one ends the earlier.
public struct MountingHistory: Sendable {
  /// A span of time on a bike.
  public struct Span: Sendable, Equatable {
    /// The gear id of the bike.
    public var bike: String
    /// The start.
    public var from: Int64
    /// The end, not included.
    public var to: Int64
  }

  private let installations: [String: [Installation]]
  private let homes: [String: Installation.Place]

  /// Collects installations.
  ///
  /// - Parameters:
  ///   - installations: All known ones, in any order.
  ///   - homes: The bikes that components belong to; one without an installation has always been there.
  public init(
    _ installations: some Sequence<Installation>, homes: [String: Installation.Place] = [:]
  ) {
    self.installations = Dictionary(grouping: installations, by: \.component)
      .mapValues { $0.sorted { ($0.from, $0.id) < ($1.from, $1.id) } }
    self.homes = homes
  }

  /// The spans of a component on bikes, in the order of time.
  public func spans(of component: String) -> [Span] { spans(of: component, above: []) }

  /// The place of a component now; nil when it is not mounted.
  public func place(of component: String, at time: Int64) -> Installation.Place? {
    guard let own = installations[component] else { return homes[component] }
    return stays(own).last { $0.from <= time && time < $0.to }?.place
  }

  /// The wear of a component by the rides that began in a span.
  public func wear(
    of component: String, since: Int64 = .min, until: Int64 = .max, in ledger: RideLedger,
    outdoorsOnly: Bool = false,
    gears: (String) -> [String] = { [$0] }
  ) -> Wear {
    var wear = Wear()
    for span in spans(of: component) {
      for gear in gears(span.bike) {
        wear += ledger.wear(
          gear, from: max(span.from, since), to: min(span.to, until), outdoorsOnly: outdoorsOnly)
      }
    }
    return wear
  }

  /// How many components may carry one another.
  static let maximumDepth = 16

  private func spans(of component: String, above path: [String]) -> [Span] {
    guard path.count < Self.maximumDepth, !path.contains(component) else { return [] }
    let stays: [(place: Installation.Place, from: Int64, to: Int64)]
    if let own = installations[component] {
      stays = self.stays(own)
    } else if let home = homes[component] {
      stays = [(home, .min, .max)]
    } else {
      return []
    }
    return stays.flatMap { stay -> [Span] in
      switch stay.place {
      case .bike(let bike): return [Span(bike: bike, from: stay.from, to: stay.to)]
      case .component(let host):
        return spans(of: host, above: path + [component]).compactMap { span in
          let from = max(span.from, stay.from)
          let to = min(span.to, stay.to)
          return from < to ? Span(bike: span.bike, from: from, to: to) : nil
        }
      }
    }
  }

  /// The installations without overlaps.
  private func stays(
    _ own: [Installation]
  ) -> [(place: Installation.Place, from: Int64, to: Int64)] {
    own.enumerated().compactMap { index, installation in
      let next = index + 1 < own.count ? own[index + 1].from : .max
      let to = min(installation.to ?? .max, next)
      return installation.from < to ? (installation.place, installation.from, to) : nil
    }
  }
}

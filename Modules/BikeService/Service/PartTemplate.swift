public import SyncKit

/// A part of bikes, and the hours of riding after which it needs service.
public struct PartTemplate: Sendable, Equatable {
  /// The name in records, such as `fork_lowers`.
  public let id: String
  /// The name for people.
  public let part: String
  /// Hours between two services.
  public let hours: Double
  /// Whether its owner gets a reminder when it is due.
  public let notifies: Bool
  /// Its group: drivetrain, suspension, wheels, brakes, cockpit.
  public let area: String

  /// All templates, in the order in which they are shown.
  public static let all: [PartTemplate] = [
    row("drivetrain", "chain", "Chain", 5),
    row("drivetrain", "cassette", "Cassette", 150),
    row("drivetrain", "chainrings", "Chainrings", 200),
    row("drivetrain", "bottom_bracket", "Bottom bracket", 100),
    row("suspension", "fork_lowers", "Fork lowers", 10),
    row("suspension", "fork_air_spring", "Fork air spring", 100),
    row("suspension", "fork_damper", "Fork damper", 200, notifies: false),
    row("suspension", "rear_shock", "Rear shock", 15),
    row("suspension", "linkage_bearings", "Linkage bearings", 100),
    row("wheels", "hub_front", "Front hub", 150),
    row("wheels", "hub_rear", "Rear hub", 150),
    row("wheels", "wheels", "Wheel truing", 100, notifies: false),
    row("brakes", "brake_pads", "Brake pads", 75),
    row("brakes", "brake_fluid", "Brake fluid", 200),
    row("cockpit", "headset", "Headset", 150, notifies: false),
    row("cockpit", "grips_tape", "Grips or tape", 100, notifies: false),
    row("cockpit", "dropper_post", "Dropper post", 100),
  ]

  /// The template with that name.
  public static subscript(id: String) -> PartTemplate? { all.first { $0.id == id } }

  /// The id of the interval that a template makes for a bike: the same on every device.
  public static func intervalID(bike: String, template: String) -> RecordID {
    RecordID("\(bike)-\(template)")
  }

  /// The interval that the template makes for a bike, as a default.
  public func draft(bike: String) -> RecordDraft {
    RecordDraft(
      .interval,
      fields: [
        "bikeId": .string(bike), "part": .string(part), "templateId": .string(id),
        "intervalTime": .double(hours), "notify": .bool(notifies),
      ], weight: .touch)
  }

  private static func row(
    _ area: String, _ id: String, _ part: String, _ hours: Double, notifies: Bool = true
  ) -> PartTemplate {
    PartTemplate(id: id, part: part, hours: hours, notifies: notifies, area: area)
  }
}

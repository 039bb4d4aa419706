import AirportMappings
import ArgumentParser
import CommandFoundation
import SyncKit

/// The command `cloudsync airports add IATA ICAO`.
struct AirportsAdd: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Map an IATA code to an ICAO code.",
    discussion: examples(
      "cloudsync airports add JFK KJFK", "cloudsync airports add XYZ KXYZ --strict",
      "cloudsync airports add ABC LEAB --dry-run",
      after: """
        Adding the same pair again changes nothing; another ICAO code replaces the existing one. A \
        pair that the reference contradicts or does not know is accepted with a warning, or \
        refused with --strict. Impossible codes and city codes are always refused: 65.
        """))

  @Argument(help: ArgumentHelp("Three letters, as on a ticket.", valueName: "iata"))
  var iata: String
  @Argument(help: ArgumentHelp("Four letters, as on a chart.", valueName: "icao"))
  var icao: String
  @Flag(help: "Refuse a pair that the reference contradicts or does not know.")
  var strict = false
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.airports.add/1", isRehearsal: change.dryRun) {
      let check = try MappingCheck(checking: iata, icao)
      guard check.standing != .rejected, !strict || check.standing == .confirmed else {
        throw SyncError(.inputInvalid, "\(check)", hint: "nothing was written")
      }
      let writer = try RecordWriter<AirportsRegistration>(
        Session(context), isRehearsal: change.dryRun)
      var result = try writer.write {
        try $0.add(iata: check.iata, icao: check.icao)
        return [try .mapping(iata: check.iata)]
      }
      result.warnings = check.standing == .confirmed ? [] : ["\(check)"]
      return result
    }
  }
}

extension MappingCheck {
  /// Checks a pair as it was typed.
  ///
  /// - Throws: ``SyncError`` `input.invalid` for a text that does not have the shape of a code.
  init(checking iata: String, _ icao: String) throws(SyncError) {
    do {
      try self.init(iata: iata, icao: icao)
    } catch {
      throw SyncError(.inputInvalid, error.description)
    }
  }
}

import AirportMappings
import ArgumentParser
import SyncKit

/// The airports domain on the command line.
enum AirportsRegistration: DomainRegistration {
  static let domain: any SyncDomain = AirportsDomain()
  static let abstract = "Airport codes: IATA to ICAO, learned and looked up."
  static let verbs: [any ParsableCommand.Type] = []
}

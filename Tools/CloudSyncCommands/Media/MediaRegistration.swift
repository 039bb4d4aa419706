import ArgumentParser
import MediaLibrary
import SyncKit

/// The media domain on the command line.
enum MediaRegistration: DomainRegistration {
  static let domain: any SyncDomain = MediaLibraryDomain()
  static let abstract = "Films and series: lists, what was watched, rated and noted."
  static let verbs: [any ParsableCommand.Type] = [MediaConvertLayout.self]
}

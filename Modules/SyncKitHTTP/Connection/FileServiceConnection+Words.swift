extension FileServiceConnection {
  /// Words of a service, which may be a hostile one, as one short line.
  package static func words(_ text: String) -> String { ServerFailure.sentence(text) }
}

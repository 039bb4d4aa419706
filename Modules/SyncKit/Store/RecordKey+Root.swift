extension RecordKey {
  /// The key of a root record: the same on every device that makes a root with this id.
  ///
  /// For whoever writes a root and what hangs on it in one batch, before the root is there.
  public static func root(_ collection: Name, _ id: Name) -> RecordKey {
    RecordKey(zone: .root(collection, id), collection: collection, id: id)
  }
}

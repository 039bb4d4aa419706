extension Connection {
  /// Free pages are given back from a quarter of the file on, and not for less than 1 MiB or so.
  private static let worth = 256

  /// Lets a new file give back what is deleted; has no effect on one that has tables.
  package func keepSmall() throws {
    // Saying so once more would write, and so wait for whoever writes.
    guard try number("auto_vacuum") != 2 else { return }
    try run("PRAGMA auto_vacuum=INCREMENTAL")
  }

  /// Whether much of the file is free pages that can be given back.
  package func isWide() throws -> Bool {
    guard try number("auto_vacuum") == 2 else { return false }
    let free = try number("freelist_count")
    return try free >= Self.worth && free * 4 >= number("page_count")
  }

  /// Gives back some free pages, the last ones of the file; its size follows with the next checkpoint.
  ///
  /// A hostile file costs no more than that many steps.
  package func giveBack(pages: Int) throws { try run("PRAGMA incremental_vacuum(\(pages))") }

  private func number(_ pragma: String) throws -> Int {
    Int(try texts("PRAGMA \(pragma)").first ?? "") ?? 0
  }
}

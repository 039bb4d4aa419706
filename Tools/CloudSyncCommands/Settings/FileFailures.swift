import SyncKit

/// Files of several that could not be read or written, while the others were.
struct FileFailures {
  let errors: [SyncError]
  private let count: Int

  init(_ errors: [SyncError], of count: Int) {
    self.errors = errors
    self.count = count
  }

  /// - Throws: ``SyncError``: the only one if all have failed with it, else `records.partial`.
  func check(isSafe: Bool) throws {
    guard let first = errors.first else { return }
    if errors.count == count { throw first }
    let more = errors.count > 1 ? ", and \(errors.count - 1) more" : ""
    throw SyncError(.partial, first.message + more, hint: first.hint, isSafe: isSafe)
  }
}

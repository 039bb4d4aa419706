import LocalMachine
import SyncKit

/// Makes the paths in the configuration absolute.
///
/// `~` is the home folder. A relative path in a file is relative to the file's folder, since a job may
/// run anywhere; in a variable or option it is relative to the working directory, as in any shell.
package struct PathExpansion: Sendable {
  package var request: Directories.Request

  package init(request: Directories.Request) {
    self.request = request
  }

  /// The absolute path.
  ///
  /// - Throws: ``SyncError`` `config.invalid` when there is no home folder for `~`.
  package func absolute(_ path: String, from origin: ConfigOrigin) throws(SyncError) -> String {
    var request = request
    if let file = origin.path { request.workingDirectory = LocalFolder.parent(of: file) }
    return try request.absolute(path)
  }
}

import LocalMachine
import CommandFoundation
import SyncKit

/// The token that this device got when it joined an account, or the password that a person typed for a service, in its
/// own file (0600) named after the remote.
///
/// The file names its server too: if the remote later leads elsewhere, the secret is not sent there.
enum StoredToken {
  /// The token of a remote; nil if there is none for this server.
  ///
  /// - Throws: ``SyncError`` `store.io` if it cannot be read.
  static func read(_ remote: String, for server: String, in data: String) throws -> String? {
    let bytes: [UInt8]
    do {
      bytes = try LocalFile.read(path(remote, in: data), limit: 4_096)
    } catch {
      guard error.isMissing else { throw SyncError(error) }
      return nil
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard lines.count == 2, lines[1] == server else { return nil }
    return String(lines[0])
  }

  /// Keeps the token of a remote.
  ///
  /// - Throws: ``SyncError`` `store.io` and the like.
  static func write(
    _ token: String, of remote: String, for server: String, in data: String
  ) throws {
    let file = path(remote, in: data)
    do {
      try LocalFolder.create(LocalFolder.parent(of: file))
      try LocalFile.replace(file, with: Array("\(token)\n\(server)\n".utf8))
    } catch {
      throw SyncError(error)
    }
  }

  /// Forgets the token of a remote.
  ///
  /// - Throws: ``SyncError`` `store.io` and the like if it may still exist.
  static func remove(_ remote: String, in data: String) throws(SyncError) {
    do throws(SystemError) { try LocalFile.remove(path(remote, in: data)) } catch {
      throw SyncError(error)
    }
  }

  private static func path(_ remote: String, in data: String) -> String {
    LocalFolder.path(data, "tokens/\(remote)")
  }
}

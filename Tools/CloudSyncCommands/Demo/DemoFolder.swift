import LocalMachine
import CommandFoundation
import SyncKit

/// The folder of a demonstration, with one subfolder for each device and a shared one.
struct DemoFolder {
  private let folder: TemporaryFolder

  /// Creates the folder under an unused name, readable only by its owner.
  ///
  /// - Throws: ``SyncError`` `store.io` and the like.
  init(_ context: CommandContext) throws(SyncError) {
    do throws(SystemError) {
      folder = try TemporaryFolder("cloudsync-demo", context.terminal.environment)
    } catch {
      throw SyncError(error)
    }
  }

  var path: String { folder.path }

  /// The path of something in the folder.
  func path(_ name: String) -> String { folder.path(name) }

  /// Makes a folder in it.
  func make(_ name: String) throws(SyncError) {
    do throws(SystemError) { try LocalFolder.create(path(name)) } catch { throw SyncError(error) }
  }

  /// Removes it with its content; whatever cannot be removed stays.
  func remove() { folder.remove() }
}

import FileTransport
public import SyncKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Remote {
  /// A folder that other devices reach too, such as one of a cloud drive.
  ///
  /// It is made when it is new and the folder above it exists. Once this store has synced with it, a missing or empty
  /// folder is an error and never the loss of data: its drive may not be mounted.
  public static func folder(_ path: String, named name: String = "folder") -> Remote {
    Remote(
      name, location: "file:\(path)",
      transport: FileTransport(path: path, createIfParentExists: true))
  }

  /// A folder that other devices reach too; see ``folder(_:named:)-(String,_)``.
  public static func folder(_ url: URL, named name: String = "folder") -> Remote {
    folder(url.path, named: name)
  }
}

import SyncKit

/// A store of named, immutable byte strings: a folder, a bucket, a WebDAV collection.
///
/// The layout above it is written once (``BlobTransport``), so a new medium is five small methods.
/// Names are relative paths with `/` between folders; those that are put are lowercase ASCII.
///
/// ## What every blob store promises
///
/// - **Durable.** A put that has returned survives power loss on the medium.
/// - **Whole or not.** A put is seen whole or not at all by users of this protocol; media that
///   copy files behind our backs may still show half a file, so readers check what they get.
/// - **Contained.** No name leads out of it, through no link and no `..`.
/// - **Prompt.** Nothing blocks for ever: pipes, devices and sparse giants are not blobs.
///
/// What it does not promise: a listing is a hint that may be old or lack things; a put that is not
/// to replace may do so when two writers race. Both are harmless because each name is written by one
/// replica and stands for one content.
public protocol BlobStore: Sendable {
  /// Its name in messages, such as `'/home/ada/sync'`.
  var location: String { get }

  /// Checks that the store exists, and creates it when it is meant to be created and may be.
  ///
  /// - Parameter mayCreate: False for one that has been there: it is missing because its drive is, and a new one in
  ///   its place would be in the way.
  /// - Throws: ``SyncError`` `remote.unavailable`, `remote.denied`.
  func prepare(creating mayCreate: Bool) async throws

  /// Lists a folder; a missing one is empty, unless it is the store itself.
  ///
  /// - Parameters:
  ///   - folder: Its path; empty for the store itself.
  ///   - reach: How deep to look.
  /// - Returns: A hint: it may be old, and what it lacks may be there.
  /// - Throws: ``SyncError`` `remote.unavailable`, `remote.denied`, `remote.io`. What cannot be read
  ///   below is a note and no error.
  func list(_ folder: String, _ reach: BlobReach) async throws -> BlobListing

  /// The first bytes of a blob, all if there are no more than `limit`.
  ///
  /// - Returns: nil when there is no such blob, or nothing that can be read now.
  /// - Throws: ``SyncError`` `remote.unavailable`, `remote.io` when the store as a whole does not
  ///   answer; `remote.unread` when its medium fails to give this blob.
  func get(_ name: String, upTo limit: Int) async throws -> [UInt8]?

  /// Stores a blob durably, with the folders it needs.
  ///
  /// - Returns: Whether the bytes were stored; false when something bears the name already and is
  ///   not to be replaced. It is durable then, too.
  /// - Throws: ``SyncError`` `remote.unavailable`, `remote.denied`, `remote.disk-full`,
  ///   `remote.quota`, `remote.io`; nothing is left under the name then.
  func put(_ name: String, _ bytes: [UInt8], replacing: Bool) async throws -> Bool

  /// Removes a blob; nothing happens when there is none.
  func delete(_ name: String) async throws

  /// Does what storing that many bytes in a folder does, made if need be, and leaves nothing behind; with none,
  /// only looks whether something else is in the folder's place.
  ///
  /// - Throws: ``SyncError`` as ``put(_:_:replacing:)`` would.
  func tryPutting(_ count: Int, in folder: String) async throws

  /// Finds out what its medium is like, and leaves nothing behind.
  ///
  /// - Throws: ``SyncError`` as ``put(_:_:replacing:)`` would, where something has to be written to find out.
  func survey() async throws -> RemoteSurvey

  /// Removes a folder, as far as nothing but empty folders and unfinished writes of ours is in it.
  func deleteEmpty(_ folder: String) async throws
}

/// How deep a listing looks.
public enum BlobReach: Sendable {
  /// The folder's own blobs and the names of its folders.
  case folder
  /// All blobs below it.
  case tree
}

/// One blob of a listing.
public struct BlobEntry: Hashable, Sendable {
  /// Its whole name.
  public var name: String
  /// Its size in bytes; nil when the medium does not say.
  public var size: Int?
  /// Whether its content is here; false for one that its provider has yet to download.
  public var isHere: Bool

  /// Describes a blob.
  public init(name: String, size: Int?, isHere: Bool = true) {
    self.name = name
    self.size = size
    self.isHere = isHere
  }
}

/// What a listing found.
public struct BlobListing: Sendable {
  /// The blobs, in no particular order.
  public var blobs: [BlobEntry]
  /// The whole names of the folders, when the listing does not look into them.
  public var folders: [String]
  /// Things that were passed over, each as a sentence.
  public var notes: [String]

  /// Makes a listing.
  public init(blobs: [BlobEntry] = [], folders: [String] = [], notes: [String] = []) {
    self.blobs = blobs
    self.folders = folders
    self.notes = notes
  }
}

extension SyncError.Code {
  /// The remote's disk is full.
  public static let remoteDiskFull = Self("remote.disk-full", exit: 74, retryable: true)
  /// Others keep a file of the remote busy for longer than one waits.
  public static let remoteBusy = Self("remote.busy", exit: 75, retryable: true)
  /// Something other than a folder is where a folder has to be.
  public static let remoteObstructed = Self("remote.obstructed", exit: 69)
}

extension BlobStore {
  /// A store without folders, in which nothing can be in the way, and of which no more is known.
  public func tryPutting(_ count: Int, in folder: String) async throws {}

  /// Nothing, of a medium that does not tell.
  public func survey() async throws -> RemoteSurvey { RemoteSurvey() }

  /// Nothing, in a store without folders.
  public func deleteEmpty(_ folder: String) async throws {}

  /// The first bytes of a blob that matters less than the rest of the store: nil also when the medium
  /// fails to give it.
  func peek(at name: String, upTo limit: Int) async throws -> [UInt8]? {
    do {
      return try await get(name, upTo: limit)
    } catch let error as SyncError where error.code == .remoteUnread {
      return nil
    }
  }
}

import Hummingbird
import LocalMachine
import struct NIOCore.ByteBuffer
import SyncKitText
import Synchronization

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// The files that were sent to a page, until they are imported or thrown away, and those that are about to be sent out.
///
/// They are in a folder that only this person can read, which ends with the process.
final class UploadedFiles: Sendable {
  private struct State {
    /// Made for the first file.
    var folder: TemporaryFolder?
    var files: [UploadedFile] = []
  }

  private let environment: [String: String]
  private let longest: Int
  private let state = Mutex(State())
  /// How many are kept; a new one takes the place of the oldest.
  private static let most = 4

  /// - Parameters:
  ///   - environment: Says where temporary files are.
  ///   - longest: The most bytes of a file.
  init(_ environment: [String: String], longest: Int = 256 << 20) {
    (self.environment, self.longest) = (environment, longest)
  }

  /// A file that is kept; nil for another domain, and for one that is gone.
  func file(_ id: String, for domain: String) -> UploadedFile? {
    state.withLock { state in state.files.first { $0.id == id && $0.domain == domain } }
  }

  /// Removes a file.
  func discard(_ file: UploadedFile) {
    state.withLock { state in
      state.files.removeAll { $0.id == file.id }
      state.folder?.remove(file.id)
    }
  }

  /// Removes all files and their folder.
  func removeAll() {
    state.withLock { state in
      state.folder?.remove()
      state = State()
    }
  }

  /// A path for a file of this process, in a folder of its own.
  private func place(for name: String) throws -> (id: String, path: String) {
    let folder = try state.withLock { state in
      if let folder = state.folder { return folder }
      let folder = try TemporaryFolder("cloudsync-web", environment)
      state.folder = folder
      return folder
    }
    let id = WebSession.secret(12)
    try LocalFolder.create(folder.path(id))
    return (id, LocalFolder.path(folder.path(id), name))
  }

  // MARK: From a browser

  /// Keeps the file of a form.
  ///
  /// - Parameters:
  ///   - upload: The form: its token comes before its file.
  ///   - domain: What the file is for.
  ///   - isAdmitted: Whether the token is right; nothing is kept before it is.
  /// - Returns: The file; nil when none was chosen.
  /// - Throws: ``WebFailure``; nothing is left then.
  func receive(
    _ upload: PageUpload, for domain: String, isAdmitted: (String?) -> Bool
  ) async throws -> UploadedFile? {
    var receiver = try Receiver(upload, longest: longest)
    do {
      for try await buffer in upload.body {
        for event in try receiver.reader.read(buffer.readableBytesView) {
          try receiver.take(event, isAdmitted: isAdmitted) { name in try place(for: name) }
        }
      }
      try receiver.reader.finish()
    } catch {
      receiver.close()
      receiver.place.map { place in state.withLock { $0.folder?.remove(place.id) } }
      throw (error as? MultipartReader.Refusal).map(WebFailure.init) ?? error
    }
    receiver.close()
    guard isAdmitted(receiver.token) else { throw WebFailure(403, .foreignForm) }
    guard let place = receiver.place else { return nil }
    let file = UploadedFile(
      id: place.id, domain: domain, path: place.path, name: receiver.name, size: receiver.size)
    state.withLock { state in
      state.files.append(file)
      while state.files.count > Self.most {
        state.folder?.remove(state.files.removeFirst().id)
      }
    }
    return file
  }

  /// A form on its way.
  private struct Receiver {
    var reader: MultipartReader
    private(set) var token: String?
    private(set) var place: (id: String, path: String)?
    private(set) var name = ""
    private(set) var size = 0
    private var descriptor: FileDescriptor?
    private let longest: Int

    init(_ upload: PageUpload, longest: Int) throws {
      // The boundaries and the fields are a little more.
      guard upload.length ?? 0 <= longest + (1 << 20) else { throw WebFailure(413, .tooLarge) }
      do {
        reader = try MultipartReader(contentType: upload.contentType)
      } catch {
        throw WebFailure(error)
      }
      self.longest = longest
    }

    mutating func take(
      _ event: MultipartReader.Event, isAdmitted: (String?) -> Bool,
      place: (String) throws -> (id: String, path: String)
    ) throws {
      switch event {
      case .field("token", let value): token = token ?? value
      case .field: break
      case .file(_, let fileName):
        guard isAdmitted(token) else { throw WebFailure(403, .foreignForm) }
        // So a form without a file says it.
        guard !fileName.isEmpty else { return }
        name = FileName(fileName).text
        let made = try place(name)
        self.place = made
        descriptor = try FileDescriptor.open(
          FilePath(made.path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
          permissions: .ownerReadWrite)
      case .bytes(let bytes):
        size += bytes.count
        guard size <= longest else { throw WebFailure(413, .tooLarge) }
        _ = try descriptor?.writeAll(bytes)
      }
    }

    mutating func close() {
      try? descriptor?.close()
      descriptor = nil
    }
  }

  // MARK: To a browser

  /// Has a file written and reads it back; it has no name any more once it is written.
  ///
  /// - Parameter write: Writes it at a path where nothing is, and says whether it has.
  /// - Returns: The content; nil when nothing was written.
  /// - Throws: What `write` does, or what the system says of the file.
  func content(_ write: (String) async throws -> Bool) async throws -> ResponseBody? {
    let place = try place(for: "export")
    defer { state.withLock { $0.folder?.remove(place.id) } }
    guard try await write(place.path) else { return nil }
    return try NamelessFile(place.path).body
  }
}

/// A file that was sent to a page.
struct UploadedFile: Sendable {
  /// What the addresses of its pages have.
  let id: String
  let domain: String
  let path: String
  /// What the person calls it.
  let name: String
  let size: Int
}

/// A file that stays as long as it is read.
private final class NamelessFile: Sendable {
  private let descriptor: FileDescriptor
  private let size: Int

  init(_ path: String) throws {
    descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
    size = Int(try descriptor.seek(offset: 0, from: .end))
  }

  deinit { try? descriptor.close() }

  var body: ResponseBody {
    ResponseBody(contentLength: size) { [self] writer in
      var offset = 0
      while offset < size {
        let wanted = min(64 << 10, size - offset)
        let bytes = try [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
          count = try descriptor.read(
            fromAbsoluteOffset: Int64(offset), into: UnsafeMutableRawBufferPointer(buffer))
        }
        guard !bytes.isEmpty else { break }
        offset += bytes.count
        try await writer.write(ByteBuffer(bytes: bytes))
      }
      try await writer.finish(nil)
    }
  }
}

extension WebFailure {
  /// What a page says of a form that cannot be read.
  fileprivate init(_ refusal: MultipartReader.Refusal) {
    switch refusal {
    // A form of ours has the type, and the token first.
    case .otherType: self.init(403, .foreignForm)
    case .tooLarge: self.init(413, .tooLarge)
    case .malformed, .truncated, .secondFile: self.init(400, .brokenForm)
    }
  }
}

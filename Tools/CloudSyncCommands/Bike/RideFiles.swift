import LocalMachine
import BikeService
import CommandFoundation
import SyncKitFormats
import SyncKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The files of a path: all in a folder, all in an archive, or the single file.
///
/// An archive within the folder or the archive is opened as well, as Garmin's export has recordings.
enum RideFiles {
  /// Lists the files; none is read before it is needed.
  ///
  /// - Throws: ``SyncError`` `input.missing` when it does not exist or cannot be read, `input.invalid`
  ///   for an archive that is refused.
  static func files(at path: String) throws -> [RideFile] {
    if LocalFolder.exists(path) {
      var found: [RideFile] = []
      try add(path, as: "", depth: 0, to: &found)
      return found.flatMap { unpacked($0) }.sorted { $0.path < $1.path }
    }
    let head: [UInt8]
    do throws(SystemError) { head = try LocalFile.read(path, limit: 4) } catch {
      throw SyncError(.inputMissing, error.description)
    }
    guard !head.isEmpty else {
      throw SyncError(.inputInvalid, "\(Sanitized.line(path)) is empty")
    }
    guard ZipArchive.isZip(head) else { return [file(path, as: path)] }
    do {
      return try RideFile.files(in: OpenFile(path)).flatMap { unpacked($0) }
    } catch let error as ArchiveError {
      throw SyncError(.inputInvalid, "\(Sanitized.line(path)): \(error)")
    } catch let error as SystemError {
      throw SyncError(.inputMissing, error.description)
    }
  }

  /// The files of an archive, or the file itself if it is none or cannot be opened.
  private static func unpacked(_ file: RideFile) -> [RideFile] {
    guard file.path.lowercased().hasSuffix(".zip"), let bytes = try? file.contents(),
      let inner = try? RideFile.files(in: MemoryBytes(bytes))
    else { return [file] }
    return inner.map { RideFile(path: "\(file.path)/\($0.path)", contents: $0.contents) }
  }

  /// The beginning of a file, for recognising what it is; of a folder, nothing.
  static func sample(of path: String) -> FileSample {
    guard !LocalFolder.exists(path),
      let head = try? LocalFile.read(path, limit: FileSample.size)
    else { return FileSample(name: path, head: []) }
    let archive = ZipArchive.isZip(head) ? try? ZipArchive(OpenFile(path)) : nil
    return FileSample(
      name: path, head: Array(head.prefix(FileSample.size)),
      paths: archive?.entries.map(\.path) ?? [])
  }

  private static let deepest = 8

  private static func add(
    _ folder: String, as name: String, depth: Int, to found: inout [RideFile]
  ) throws {
    guard depth < deepest else { return }
    do throws(SystemError) {
      for entry in try LocalFolder.names(in: folder, ending: "") {
        let path = LocalFolder.path(folder, entry)
        if LocalFolder.exists(path) {
          do { try add(path, as: "\(name)\(entry)/", depth: depth + 1, to: &found) } catch let error
            as SystemError
          {
            throw error
          } catch {}
        } else {
          found.append(file(path, as: name + entry))
        }
      }
    } catch {
      throw SyncError(.inputMissing, error.description)
    }
  }

  private static func file(_ path: String, as name: String) -> RideFile {
    RideFile(path: name) {
      do throws(SystemError) {
        let bytes = try LocalFile.read(path, limit: RideFile.largest)
        if bytes.count <= RideFile.largest { return bytes }
      } catch {
        throw SyncError(.inputMissing, error.description)
      }
      throw SyncError(.inputInvalid, "\(Sanitized.line(path)) is larger than 1 GiB")
    }
  }
}

/// A file for random access, open as long as it is in use.
private final class OpenFile: ByteSource {
  private let descriptor: Int32
  let count: Int

  init(_ path: String) throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("read \(path)") }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else {
      let error = SystemError("read \(path)")
      close(descriptor)
      throw error
    }
    count = Int(facts.st_size)
  }

  deinit { close(descriptor) }

  func read(at offset: Int, count: Int) throws -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else {
      throw ArchiveError("it ends too early")
    }
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let more = bytes[done...].withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress, $0.count, off_t(offset + done))
      }
      if more < 0, errno == EINTR { continue }
      guard more > 0 else { throw ArchiveError("it ends too early") }
      done += more
    }
    return bytes
  }
}

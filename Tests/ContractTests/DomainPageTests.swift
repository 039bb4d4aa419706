import CommandFoundation
import SyncKit
import Testing

@testable import CloudSyncCommands

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The page that tells other programs of the fields of every domain says what the schemas say.
///
/// With the variable CLOUDSYNC_WRITE_PAGES, set to anything, the test writes the page again.
@Test(arguments: DomainRegistry.names)
func `the page of the domains says what the schema says`(name: String) throws {
  let page = DomainPage(schema: try DomainRegistry.domain(name).schema)
  let path = RepositoryFile.path("Documentation/Formats/Domains.md")
  var whole = try RepositoryFile.read(path)
  let begin = try #require(whole.firstRange(of: page.marks.begin), "no mark for \(name)")
  let end = try #require(whole.firstRange(of: page.marks.end), "no end of \(name)")
  let place = begin.upperBound..<end.lowerBound
  let wanted = "\n\(page.text)\n"
  if getenv("CLOUDSYNC_WRITE_PAGES") != nil, whole[place] != wanted {
    whole.replaceSubrange(place, with: wanted)
    try RepositoryFile.write(path, whole)
    return
  }
  #expect(String(whole[place]) == wanted, "CLOUDSYNC_WRITE_PAGES=1 writes it again")
}

/// A file of the repository, as a test sees it.
enum RepositoryFile {
  struct Failure: Error { let path: String }

  static func path(_ name: String) -> String {
    var parts = #filePath.split(separator: "/")
    parts.removeLast(3)
    return "/\(parts.joined(separator: "/"))/\(name)"
  }

  static func read(_ path: String) throws -> String {
    guard let file = fopen(path, "r") else { throw Failure(path: path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func write(_ path: String, _ text: String) throws {
    guard let file = fopen(path, "w") else { throw Failure(path: path) }
    fputs(text, file)
    fclose(file)
  }
}

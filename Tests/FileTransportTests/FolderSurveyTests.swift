import FileTransport
import SyncKit
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What a folder tells of its medium.
struct FolderSurveyTests {
  @Test func `a folder of this machine has its clock and its room, and is left as it was`()
    async throws
  {
    let folder = try RemoteFolder()
    defer { folder.remove() }
    let survey = try await FolderBlobStore(path: folder.path).survey()
    #expect(survey.clock?.lead == 0)
    var facts = statvfs()
    #expect(statvfs(folder.path, &facts) == 0)
    // Others write on the same disk meanwhile.
    let room = Int64(facts.f_bavail) * Int64(facts.f_frsize)
    #expect(abs(try #require(survey.room) - room) < 4 << 30)
    #expect(survey.notes.isEmpty && folder.files().isEmpty)
  }
}

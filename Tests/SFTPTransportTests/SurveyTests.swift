import RealPlaces
import SFTPTransport
import SyncKit
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What a server tells of its clock and its disk.
@Suite struct Surveys {
  private func survey(
    _ variant: OpenSSHServer.Variant, ahead seconds: Int64
  ) async throws -> RemoteSurvey {
    let place = try SFTPPlace(variant)
    var access = place.access()
    access.environment = SyncEnvironment(
      now: { (Int64(time(nil)) + seconds) * 1_000 }, random: { .random(in: .min ... .max) })
    let store = SFTPBlobStore(server: SFTPServer(access), path: place.server.path)
    try await store.prepare(creating: false)
    let survey = try await store.survey()
    #expect(place.files().isEmpty)
    return survey
  }

  @Test(arguments: OpenSSHServer.Variant.allCases.filter { ![.none, .readOnly].contains($0) })
  func `the time of a file that was just written is that of the server's clock`(
    variant: OpenSSHServer.Variant
  ) async throws {
    #expect(try await survey(variant, ahead: 0).clock?.isFar == false)
    let behind = try #require(try await survey(variant, ahead: 3_600).clock)
    #expect(-3_660_000 ... -3_540_000 ~= behind.lead)
    let ahead = try #require(try await survey(variant, ahead: -3_600).clock)
    #expect(3_540_000...3_660_000 ~= ahead.lead)
  }

  @Test func `a server that can tell its room does`() async throws {
    #expect(try await survey(.inside, ahead: 0).room ?? 0 > 1 << 20)
  }

  @Test func `a server that only reads tells nothing`() async throws {
    let place = try SFTPPlace(.readOnly)
    defer { withExtendedLifetime(place) {} }
    let store = place.store()
    try await store.prepare(creating: false)
    #expect(await code { _ = try await store.survey() } == .remoteDenied)
  }
}

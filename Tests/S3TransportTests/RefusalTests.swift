import FaultyNetwork
import RealPlaces
import SegmentFormat
import SyncKit
import SyncKitHTTP
import Testing

@testable import S3Transport

/// What real services refuse.
@Suite struct RealRefusals {
  private func refusal(_ body: () async throws -> Void) async -> SyncError? {
    do {
      try await body()
      return nil
    } catch { return error as? SyncError }
  }

  @Test(arguments: S3Place.Kind.allCases)
  func `wrong keys are told apart`(kind: S3Place.Kind) async throws {
    let place = try S3Place(kind)
    let bucket = try place.bucket()
    let secret = await refusal {
      let keys = place.keys(nil, "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEXX")
      _ = try await place.store(bucket, keys: keys).list("", .folder)
    }
    #expect(secret?.code == .remoteDenied)
    #expect(secret?.message.contains("secret key") == true, "\(String(describing: secret))")
    let unknown = await refusal {
      let keys = place.keys("AKIAIOSFODNN7NOSUCHK")
      _ = try await place.store(bucket, keys: keys).list("", .folder)
    }
    #expect(unknown?.code == .remoteDenied)
    #expect(
      unknown?.message.contains("does not know the access key") == true,
      "\(String(describing: unknown))")
  }

  @Test(arguments: S3Place.Kind.allCases)
  func `a missing bucket is named with what makes one`(kind: S3Place.Kind) async throws {
    let place = try S3Place(kind)
    let bucket = try place.bucket(named: "no-such-bucket")
    let listing = await refusal { _ = try await place.store(bucket).list("", .folder) }
    #expect(listing?.code == .remoteUnavailable, "\(String(describing: listing))")
    #expect(listing?.hint?.contains("aws s3 mb s3://no-such-bucket") == true)
    let storing = await refusal {
      _ = try await place.store(bucket).put("notes/a", [1], replacing: true)
    }
    #expect(storing?.code == .remoteUnavailable, "\(String(describing: storing))")
    let reading = await refusal { _ = try await place.store(bucket).get("notes/a", upTo: 9) }
    #expect(reading?.code == .remoteUnavailable, "\(String(describing: reading))")
  }

  @Test func `a wrong clock is named with its error`() async throws {
    let place = try S3Place(.rclone)
    for (hours, words) in [(3, "3 hours ahead of"), (-50, "2 days behind")] {
      let error = await refusal {
        _ = try await place.store(place.bucket(), skew: Int64(hours) * 3_600_000).list("", .folder)
      }
      #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    }
  }

  @Test func `what locks objects and keeps versions is noted once`() async throws {
    let place = try S3Place(.moto)
    let store = try place.store(place.bucket(named: MotoServer.lockedBucket))
    let findings = try await store.look()
    #expect(findings == S3BucketFindings(keepsVersions: true, locksObjects: true))
    try await store.tryPutting(1, in: "notes")
    let notes = try await store.list("notes", .tree).notes
    #expect(findings.notes.count == 2)
    #expect(findings.notes.allSatisfy { notes.contains($0) })
    #expect(try await store.list("notes", .tree).notes.isEmpty)
    let plain = try await place.store(place.bucket()).look()
    #expect(plain == S3BucketFindings(keepsVersions: false, locksObjects: false))
  }
}

/// What services refuse that no test can make them refuse, from their documentation.
@Suite struct PlayedRefusals {
  private func error(
    _ answer: @autoclosure @escaping @Sendable () -> CarriedAnswer,
    on log: RequestLog = RequestLog()
  ) async throws -> SyncError {
    let store = try PlayedService.store(nil, log) { _ in answer() }
    return try await #require(throws: SyncError.self) { _ = try await store.list("", .folder) }
  }

  @Test func `another region is named`() async throws {
    let redirect = try await error(
      PlayedService.refusal(
        301, "PermanentRedirect", headers: [("x-amz-bucket-region", "eu-west-1")]))
    #expect(redirect.code == .configInvalid)
    #expect(redirect.hint == "Set 'region: eu-west-1' for this remote.")
    let malformed = try await error(
      PlayedService.refusal(400, "AuthorizationHeaderMalformed", "<Region>eu-west-3</Region>"))
    #expect(malformed.hint == "Set 'region: eu-west-3' for this remote.")
    // A region is not taken from what cannot be one.
    let hostile = try await error(
      PlayedService.refusal(301, "PermanentRedirect", "<Region>x; rm -rf</Region>"))
    #expect(hostile.code == .configInvalid)
    #expect(hostile.hint?.contains("rm") == false)
  }

  @Test func `the clocks are compared where the time is refused`() async throws {
    let late = try await error(
      PlayedService.refusal(
        403, "RequestTimeTooSkewed", headers: [("Date", "Thu, 23 May 2013 23:35:00 GMT")]))
    #expect(late.code == .remoteClock && late.message.contains("25 minutes ahead of"))
    // Some say no more than that access is denied.
    let quiet = try await error(
      PlayedService.refusal(
        403, "AccessDenied", headers: [("Date", "Fri, 24 May 2013 03:00:00 GMT")]))
    #expect(quiet.code == .remoteClock && quiet.message.contains("3 hours behind"))
    #expect(
      try await error(PlayedService.refusal(403, "RequestTimeTooSkewed")).message.contains("clock"))
  }

  @Test(arguments: [
    (403, "AccessDenied", SyncError.Code.remoteDenied, "s3:ListBucket"),
    (403, "InvalidObjectState", .remoteDenied, "lifecycle"),
    (400, "InvalidStorageClass", .configInvalid, "storage-class"),
    (400, "EntityTooLarge", .remoteTooLarge, "uploads"),
    (403, "QuotaExceeded", .remoteQuota, "room"),
    (507, "", .remoteQuota, "room"),
    (400, "KMS.DisabledException", .remoteDenied, "kms:GenerateDataKey"),
    (404, "NoSuchBucket", .remoteUnavailable, "aws s3 mb"),
  ])
  func `each refusal has a remedy`(
    status: Int, word: String, code: SyncError.Code, remedy: String
  ) async throws {
    let found = try await error(PlayedService.refusal(status, word))
    #expect(found.code == code)
    #expect(found.hint?.contains(remedy) == true, "\(found.hint ?? "")")
  }

  @Test func `words of the service are made harmless`() async throws {
    let body = Array("<Error><Code>X</Code><Message>a\u{202E}b&#x9B;c</Message></Error>".utf8)
    let found = try await error(CarriedAnswer(status: 400, body: body))
    #expect(found.cause?.contains("abc") == true, "\(found)")
  }

  @Test func `a busy service is waited for as it asks`() async throws {
    let log = RequestLog()
    let busy = try await error(
      PlayedService.refusal(503, "SlowDown", headers: [("Retry-After", "7")]), on: log)
    #expect(busy.code == .remoteRateLimited)
    #expect(log.methods.count == 3)
    #expect(log.pauses == [.seconds(7), .seconds(7)])
  }

  @Test func `a page of a hotel is no service for buckets`() async throws {
    let page = try await error(
      CarriedAnswer(status: 200, body: Array("<html>Welcome</html>".utf8)))
    #expect(page.code == .remoteForeign)
  }

  @Test func `keys that have ended are fetched again once`() async throws {
    let log = RequestLog()
    let ended = try await error(PlayedService.refusal(400, "ExpiredToken"), on: log)
    #expect(ended.code == .remoteDenied)
    #expect(log.methods.count == 2)
  }

  @Test func `a removal that is locked says so`() async throws {
    let store = try PlayedService.store { _ in PlayedService.refusal(403, "AccessDenied") }
    let error = try await #require(throws: SyncError.self) { try await store.delete("notes/a") }
    #expect(error.hint?.contains("object lock") == true)
  }
}

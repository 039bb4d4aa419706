import RealPlaces
import SyncKit
import SyncKitTesting
import Testing

@testable import S3Transport

/// The checks that do not go on for minutes over a real service; what the others prove is the layout's.
private let quickChecks = TransportContract.checks.filter { !$0.isLong }

@Suite struct BucketsKeepTheContract {
  @Test(arguments: S3Place.Kind.allCases)
  func checks(kind: S3Place.Kind) async throws {
    let place = try S3Place(kind)
    for (number, check) in quickChecks.enumerated() {
      // What a path may have in it, but for rclone, which keeps the folders of a prefix.
      let prefix = kind == .moto ? "a b/\(number)%+\u{00E9}~" : "a b/\(number)"
      let contract = TransportContract {
        TestRemote {
          try place.transport(place.bucket(prefix))
        } empty: {
          try await place.empty(prefix)
        } cut: {
          try await place.cut(prefix)
        }
      }
      do {
        try await check(contract)
      } catch {
        Issue.record("\(kind): \(check): \(error)")
      }
    }
  }

  /// At the top of a bucket, where names begin with nothing.
  @Test(arguments: S3Place.Kind.allCases)
  func withoutPrefix(kind: S3Place.Kind) async throws {
    let place = try S3Place(kind)
    let bucket = try place.bucket(named: MotoServer.otherBucket)
    for check in quickChecks.prefix(4) {
      try await place.empty("", of: bucket.name)
      let contract = TransportContract {
        TestRemote {
          try place.transport(bucket)
        } empty: {
          try await place.empty("", of: bucket.name)
        } cut: {
          try await place.cut("", of: bucket.name)
        }
      }
      do {
        try await check(contract)
      } catch {
        Issue.record("\(kind): \(check): \(error)")
      }
    }
  }
}

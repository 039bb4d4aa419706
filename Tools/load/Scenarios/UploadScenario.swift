import NIOCore
import NIOPosix
import RealServer
import SyncKit
import SyncWire

/// Several devices that upload very large segments at the same time, and retry when told to.
struct UploadScenario: Scenario {
  private static let devices = 12
  private static let changes = 30
  private static let changeBytes = 1_000_000

  func run(_ target: LoadTarget, _ load: inout Load) async throws {
    let bodies = try (0..<Self.devices).map { device in
      var segments = LoadSegments(series: UInt64(device), of: load.seed &* 1_000 &+ 4)
      return LoadSegments.body([
        try segments.segment(changes: Self.changes, bytes: Self.changeBytes)
      ])
    }
    let start = NIODeadline.now()
    let refusals = try await withThrowingTaskGroup(of: Int.self) { group in
      for (device, body) in bodies.enumerated() {
        let token = target.tokens[device % target.tokens.count]
        group.addTask {
          var refusals = 0
          while true {
            do {
              _ = try await target.ask(
                "POST", LoadTarget.segmentsPath, token, body, WireProtocol.segments)
              return refusals
            } catch let error as StatusError where error.status == 503 && refusals < 60 {
              refusals += 1
              try await Task.sleep(for: .seconds(2))
            }
          }
        }
      }
      return try await group.reduce(0, +)
    }
    let bytes = bodies.reduce(0) { $0 + $1.count }
    load.report.add("uploads", "uploaded at the same time", Double(bytes) / 1e6, "MB")
    load.report.add("uploads", "told to retry", Double(refusals), "")
    load.report.add("uploads", "time", Double((.now() - start).nanoseconds) / 1e9, "s")
    if let usage = target.usage {
      load.report.add(
        "uploads", "memory of the server", Double(usage.peak) / 1e6, "MB", .atMost(600))
    }
    for (device, body) in bodies.enumerated() {
      let page = try await target.feed(target.tokens[device % target.tokens.count]).flatMap(
        \.segments)
      let isThere = page.contains { $0.size == body.count - 4 }
      load.report.fault("uploads", "not stored", isThere ? 0 : 1)
    }
  }
}

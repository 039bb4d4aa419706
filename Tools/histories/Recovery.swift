#if os(Linux)
import HistoryChecks

/// How long clients were without an answer because of each fault.
///
/// A client is so from the beginning of its first request without an answer, or from the fault if that came later, to
/// the end of its next request with one. A fault takes as long as the client that it kept longest.
struct Recovery {
  /// The nanoseconds of each fault in its order; nil for one that no client noticed.
  private(set) var spans: [UInt64?]
  /// The nanoseconds of the longest wait for an answer that came, of each fault.
  private(set) var waits: [UInt64]
  /// How many requests had no answer although no fault explains it.
  private(set) var unexplained = 0

  /// A fault explains what begins while it lasts or is on its way when it begins, and whatever fails before the next one.
  init(_ faults: [FleetFault], _ requests: [Call<Bool>]) {
    spans = faults.map { _ in nil }
    waits = faults.map { _ in 0 }
    for (_, calls) in Dictionary(grouping: requests, by: \.client) {
      var first: Call<Bool>?
      for call in calls.sorted(by: { $0.start < $1.start }) {
        guard call.value else {
          first = first ?? call
          continue
        }
        if let index = Self.cause(of: call, faults) {
          waits[index] = max(waits[index], call.end - max(call.start, faults[index].start))
        }
        guard let failed = first else { continue }
        first = nil
        guard let index = Self.cause(of: failed, faults) else {
          unexplained += 1
          continue
        }
        let span = call.end - max(failed.start, faults[index].start)
        spans[index] = max(spans[index] ?? 0, span)
      }
    }
  }

  private static func cause(of failed: Call<Bool>, _ faults: [FleetFault]) -> Int? {
    faults.lastIndex { $0.start <= failed.start && failed.start <= $0.end }
      ?? faults.firstIndex { failed.start <= $0.start && $0.start <= failed.end }
      ?? faults.lastIndex { $0.start <= failed.start }
  }
}

/// What was seen of each kind of fault in all histories.
struct RecoveryTable {
  private var spans: [FleetFault.Kind: [UInt64?]] = [:]
  private var waits: [FleetFault.Kind: UInt64] = [:]

  mutating func add(_ faults: [FleetFault], _ recovery: Recovery) {
    for (index, fault) in faults.enumerated() {
      spans[fault.kind, default: []].append(recovery.spans[index])
      waits[fault.kind] = max(waits[fault.kind] ?? 0, recovery.waits[index])
    }
  }

  /// A line for each kind: how often, how often a request had no answer, how long clients were without one, and the
  /// longest wait for one that came.
  var lines: [String] {
    let head = Self.line("fault", "times", "noticed", "median", "worst", "slowest")
    return [head]
      + FleetFault.Kind.allCases.compactMap { kind in
        guard let all = spans[kind] else { return nil }
        let noticed = all.compactMap { $0 }.sorted()
        let slowest = Self.seconds(waits[kind] ?? 0)
        guard let worst = noticed.last else {
          return Self.line("\(kind)", "\(all.count)", "0", "-", "-", slowest)
        }
        return Self.line(
          "\(kind)", "\(all.count)", "\(noticed.count)",
          Self.seconds(noticed[(noticed.count - 1) / 2]), Self.seconds(worst), slowest)
      }
  }

  static func seconds(_ nanoseconds: UInt64) -> String {
    let hundredths = (nanoseconds + 5_000_000) / 10_000_000
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) s"
  }

  private static func line(_ name: String, _ columns: String...) -> String {
    func space(_ count: Int) -> String { String(repeating: " ", count: max(1, count)) }
    return name + space(38 - name.count)
      + columns.map { space(10 - $0.count) + $0 }.joined()
  }
}
#endif

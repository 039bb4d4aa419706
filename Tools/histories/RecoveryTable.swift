#if os(Linux)
import HistoryChecks

/// What was seen of each kind of fault in all histories.
struct RecoveryTable {
  private var spans: [FleetFault.Kind: [UInt64?]] = [:]
  private var waits: [FleetFault.Kind: UInt64] = [:]

  mutating func add(_ faults: [FleetFault], _ recovery: RecoveryTimes) {
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

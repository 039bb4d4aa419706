/// How long clients were without an answer because of each fault.
///
/// A client is so from the beginning of its first request without an answer, or from the fault if that came later, to
/// the end of its next request with one. A fault takes as long as the client that it kept longest.
public struct RecoveryTimes: Sendable {
  /// A fault, from its beginning until what was broken is whole again.
  public struct Fault: Sendable {
    /// When it began.
    public var start: UInt64
    /// When everything ran again.
    public var end: UInt64

    /// Describes a fault.
    public init(start: UInt64, end: UInt64) { (self.start, self.end) = (start, end) }
  }

  /// The time of each fault in its order; nil for one that left no request without an answer.
  public private(set) var spans: [UInt64?]
  /// The longest wait for an answer that came, of each fault.
  public private(set) var waits: [UInt64]
  /// How often a client was without an answer before any fault.
  public private(set) var unexplained = 0

  /// Looks for what follows from faults in the order of their beginnings.
  ///
  /// A fault explains what begins while it lasts or is on its way when it begins, and whatever fails before the next one.
  ///
  /// - Parameters:
  ///   - faults: The faults, one after another.
  ///   - requests: Whether each request had an answer.
  public init(_ faults: [Fault], _ requests: [Call<Bool>]) {
    spans = faults.map { _ in nil }
    waits = faults.map { _ in 0 }
    for (_, calls) in Dictionary(grouping: requests, by: \.client) {
      let calls = calls.sorted { $0.start < $1.start }
      var first: Call<Bool>?
      for call in calls {
        guard call.value else {
          first = first ?? call
          continue
        }
        if let index = Self.cause(of: call, faults) {
          waits[index] = max(waits[index], call.end - max(call.start, faults[index].start))
        }
        if let failed = first { note(failed, until: call.end, faults) }
        first = nil
      }
      // It has had no answer up to the end.
      if let failed = first, let last = calls.last { note(failed, until: last.end, faults) }
    }
  }

  private mutating func note(_ failed: Call<Bool>, until end: UInt64, _ faults: [Fault]) {
    guard let index = Self.cause(of: failed, faults) else {
      unexplained += 1
      return
    }
    let span = end - max(failed.start, faults[index].start)
    spans[index] = max(spans[index] ?? 0, span)
  }

  private static func cause(of call: Call<Bool>, _ faults: [Fault]) -> Int? {
    faults.lastIndex { $0.start <= call.start && call.start <= $0.end }
      ?? faults.firstIndex { call.start <= $0.start && $0.start <= call.end }
      ?? faults.lastIndex { $0.start <= call.start }
  }
}

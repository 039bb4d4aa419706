extension Simulation {
  /// A smaller plan that fails in the same way: without faults that it does not need, and with fewer steps.
  ///
  /// Steps keep their numbers and choices, so leaving some out changes nothing about the others.
  ///
  /// - Parameter attempts: The most runs.
  /// - Returns: The smallest one found; the plan itself when nothing can be left out.
  public func shrunk(attempts: Int = 400) async -> SimulationPlan {
    var best = plan
    var left = attempts
    let kind = await run().failure.map(Self.kind)
    func fails(_ plan: SimulationPlan) async -> Bool {
      left -= 1
      return await Simulation(plan, parts: parts).run().failure.map(Self.kind) == kind
    }
    for fault in plan.faults.sorted() where left > 0 {
      var smaller = best
      smaller.faults.remove(fault)
      if await fails(smaller) { best = smaller }
    }
    var kept = best.kept ?? Array(0..<best.operations)
    var size = max(kept.count / 2, 1)
    while left > 0 {
      var start = 0
      var isSmaller = false
      while start < kept.count, left > 0 {
        var smaller = best
        smaller.kept = Array(kept[..<start] + kept[min(start + size, kept.count)...])
        if await fails(smaller) {
          best = smaller
          kept = smaller.kept ?? []
          isSmaller = true
        } else {
          start += size
        }
      }
      if size == 1, !isSmaller { break }
      size = max(size / 2, 1)
    }
    return best
  }

  /// What a failure says without the names in it, so that a smaller plan fails in the same way and not
  /// in another one.
  static func kind(_ failure: String) -> [String] {
    failure.split(separator: " ").filter { word in
      (2...10).contains(word.utf8.count)
        && word.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
    }.map(String.init)
  }
}

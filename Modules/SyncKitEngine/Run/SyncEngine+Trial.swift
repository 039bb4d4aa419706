import SyncKitModel
import SyncKitStore

extension SyncEngine {
  /// Tries to store what is pending, without storing it.
  ///
  /// If something is pending, an obstacle is the run's failure, as it would be in a sync; otherwise it is
  /// only a note.
  func tryStoring(_ run: inout Run, _ plan: ExchangePlan) async throws {
    let egress = try store.egress(to: run.remote.name)
    var sample = StoreSample()
    for row in plan.missing {
      guard let zone = plan.zones[row.arrival], egress.isOut(zone) else { continue }
      do {
        let segment = try store.read { try $0.segment(row) }
        guard let outbound = try egress.pass(segment) else { continue }
        sample.bytes += outbound.segment.bytes.count
        sample.segments += 1
        sample.zones[zone, default: []].insert(segment.info.series)
      } catch {
        run.fail(error)
      }
    }
    let unsealed = try store.unsealedOperations()
    if unsealed > 0 {
      // They are no segment yet, whose size would be known: this is what small edits take.
      sample.bytes += Self.sealedHead + unsealed * Self.sealedOperation
      sample.segments += 1
    }
    // Where the next edit would go, as far as that can be checked at once.
    for (zone, state) in try store.read({ try $0.zones() }).prefix(Self.mostZones)
    where egress.isOut(zone) {
      sample.zones[zone, default: []].insert(state.own)
    }
    guard let transport = run.remote.transport as? any TrialTransport else { return }
    // A new remote gets its markers, whatever waits.
    let isDue = try sample.segments > 0 || !store.remote(run.remote.name).isAttached
    do {
      try await transport.tryStoring(sample, of: store.domain.name)
    } catch let error as SyncError where !isDue {
      run.obstacle = error
    }
  }

  private static let mostZones = 16
  private static let sealedHead = 512
  private static let sealedOperation = 64
}

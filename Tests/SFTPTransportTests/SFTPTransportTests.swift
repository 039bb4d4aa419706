import RealPlaces
import SFTPTransport
import SyncKitTesting
import Synchronization
import Testing

@Suite struct SFTPTransportKeepsTheContract {
  @Test(arguments: TransportContract.checks)
  func byTheServersOwnCode(_ check: ContractCheck<TransportContract>) async throws {
    try await keep(check, .inside)
  }

  @Test(arguments: TransportContract.checks)
  func byAProgram(_ check: ContractCheck<TransportContract>) async throws {
    try await keep(check, .outside)
  }

  @Test(arguments: TransportContract.checks)
  func withoutExtensions(_ check: ContractCheck<TransportContract>) async throws {
    try await keep(check, .plain)
  }

  @Test(arguments: TransportContract.checks)
  func lockedIntoAFolder(_ check: ContractCheck<TransportContract>) async throws {
    try await keep(check, .locked)
  }

  private func keep(
    _ check: ContractCheck<TransportContract>, _ variant: OpenSSHServer.Variant
  ) async throws {
    // A transport does not keep its server alive.
    let places = Mutex<[SFTPPlace]>([])
    let contract = TransportContract {
      let place = try SFTPPlace(variant)
      places.withLock { $0.append(place) }
      let connection = place.connect()
      return TestRemote {
        place.transport(connection)
      } empty: {
        place.run("find . -mindepth 1 -delete")
      } cut: {
        place.cutSegments()
      }
    }
    try await check(contract)
    places.withLock { $0 = [] }
  }
}

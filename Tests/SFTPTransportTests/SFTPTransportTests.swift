import RealPlaces
import SFTPTransport
import SyncKitTesting
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
    let contract = TransportContract {
      let place = try SFTPPlace(variant)
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
  }
}

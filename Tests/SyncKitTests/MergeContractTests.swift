import SyncKit
import SyncKitTesting
import Testing

/// The contract is worth what it finds: every planted mistake, within a thousand histories.
struct MergeContractTests {
  @Test(arguments: MistakenReplica.Mistake.allCases)
  func `the merge contract finds`(mistake: MistakenReplica.Mistake) {
    let contract = MergeContract(seeds: 0..<1_000)
    #expect(contract.violations(of: MistakenReplica(mistake: mistake)) != [])
  }

  @Test func `a failing history names its seed`() throws {
    let contract = MergeContract(seeds: 0..<1_000)
    let faults = contract.violations(of: MistakenReplica(mistake: .touchCountsAsEdit))
    #expect(try #require(faults.first).hasPrefix("seed "))
    #expect(contract.violations(of: MistakenReplica(mistake: .touchCountsAsEdit)) == faults)
  }
}

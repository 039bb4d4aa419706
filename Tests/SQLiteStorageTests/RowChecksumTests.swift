import Testing

@testable import SQLiteStorage

/// The vectors that Documentation/Formats/Store.md names.
@Suite struct RowChecksums {
  private func hash(_ text: String, seed: UInt64 = 0) -> UInt64 {
    Array(text.utf8).withUnsafeBytes { RowChecksum.hash($0, seed: seed) }
  }

  @Test func areXXH64() {
    #expect(hash("") == 0xEF46_DB37_51D8_E999)
    #expect(hash("a") == 0xD24E_C4F1_A98C_6E5B)
    #expect(hash("abc") == 0x44BC_2CF5_AD77_0999)
    #expect(hash("xxhash", seed: 20_141_025) == 0xB559_B98D_844E_0635)
    #expect(
      hash("Call me Ishmael. Some years ago--never mind how long precisely-")
        == 0x02A2_E854_70D6_FD96)
  }

  @Test func coverStoreTableKeyAndValue() {
    func row(_ seed: UInt64, _ table: UInt8, _ key: [UInt8], _ value: [UInt8]) -> UInt64 {
      key.withUnsafeBytes { key in
        value.withUnsafeBytes {
          RowChecksum.row(store: seed, table: table, key: key, value: $0)
        }
      }
    }
    let sums = [
      row(1, 2, [3], [4]), row(2, 2, [3], [4]), row(1, 3, [3], [4]), row(1, 2, [4], [4]),
      row(1, 2, [3], [5]), row(1, 2, [3, 4], []), row(1, 2, [], [3, 4]),
    ]
    #expect(Set(sums).count == sums.count)
  }
}

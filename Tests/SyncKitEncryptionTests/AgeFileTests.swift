import SyncCrypto
import SyncKit
import SyncKitTesting
import Testing

@testable import SyncKitEncryption

/// A file that a passphrase opens: what was sealed comes back, and nothing of what was changed.
struct AgeFileTests {
  private static let chunk = (64 << 10) + Sealing.overhead
  /// Little enough work for a test.
  private let work = Scrypt.acceptable.lowerBound

  private func content(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  }

  private func sealed(_ content: [UInt8]) throws -> [UInt8] {
    try AgeFile.seal(content, passphrase: "correct horse", work: work, from: .seeded(1))
  }

  private func refusal(_ file: [UInt8], _ passphrase: String = "correct horse") -> SyncError? {
    #expect(throws: SyncError.self) { try AgeFile.open(file, passphrase: passphrase) }
  }

  @Test(arguments: [0, 1, (64 << 10) - 1, 64 << 10, (64 << 10) + 1, 1 << 20])
  func `what was sealed comes back`(count: Int) throws {
    let content = content(count)
    let file = try sealed(content)
    #expect(AgeFile.isOne(file))
    #expect(try AgeFile.open(file, passphrase: "correct horse") == content)
    let chunks = max(1, (count + 65_535) / 65_536)
    let header = try AgeHeader(file)
    #expect(file.count == header.length + 16 + count + chunks * 16)
  }

  @Test func `a file has the header of age, with one passphrase`() throws {
    let file = try sealed([1, 2, 3])
    let header = try AgeHeader(file)
    let lines = String(decoding: file.prefix(header.length), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 4 && lines[0] == "age-encryption.org/v1")
    #expect(lines[1].hasPrefix("-> scrypt ") && lines[1].hasSuffix(" 10"))
    #expect(lines[2].utf8.count == 43 && lines[3].hasPrefix("--- "))
    #expect(!AgeFile.isOne(Array("PK\u{3}\u{4}".utf8)))
  }

  @Test func `two files of the same content share nothing`() throws {
    let environment = SyncEnvironment.seeded(2)
    let files = try (0..<2).map { _ in
      try AgeFile.seal(content(100), passphrase: "correct horse", work: work, from: environment)
    }
    #expect(files[0].suffix(132) != files[1].suffix(132))
    #expect(files[0].dropFirst(22).prefix(60) != files[1].dropFirst(22).prefix(60))
  }

  @Test func `another passphrase does not open it`() throws {
    let file = try sealed(content(10))
    for other in ["correct horse ", "Correct horse", "", "wrong"] {
      #expect(refusal(file, other)?.code == .wrongPassphrase)
    }
  }

  @Test func `no byte can be changed`() throws {
    let file = try sealed(content(40))
    for place in file.indices {
      var changed = file
      changed[place] ^= 1
      let code = refusal(changed)?.code
      #expect(code == .inputInvalid || code == .wrongPassphrase, "byte \(place)")
    }
  }

  @Test func `no length but its own is whole`() throws {
    let file = try sealed(content(40))
    for count in file.indices {
      #expect(refusal(Array(file.prefix(count)))?.code == .inputInvalid, "\(count) bytes")
    }
    #expect(refusal(file + [0])?.code == .inputInvalid)
  }

  @Test func `chunks can be neither cut, added, swapped nor left out`() throws {
    let file = try sealed(content(3 * (64 << 10)))
    let start = file.count - 3 * Self.chunk
    let head = file[..<start]
    let chunks = (0..<3).map { file[start + $0 * Self.chunk..<start + ($0 + 1) * Self.chunk] }
    let first = chunks[0]
    let attacks: [(word: String, chunks: [ArraySlice<UInt8>])] = [
      ("cut short", Array(chunks.prefix(2))), ("cut short", [first]), ("cut short", []),
      ("bytes follow its end", chunks + [chunks[2]]), ("bytes follow its end", chunks + [[0, 0]]),
      ("changed", [chunks[1], first, chunks[2]]), ("changed", [first, chunks[2]]),
      ("changed", [chunks[1], chunks[2]]), ("changed", [first, first, chunks[1], chunks[2]]),
    ]
    for (word, chunks) in attacks {
      let error = refusal(Array(head + chunks.joined()))
      #expect(error?.code == .inputInvalid)
      #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
    }
  }

  @Test func `an empty chunk at the end is no second form of the same content`() throws {
    let fileKey = [UInt8](repeating: 7, count: 16)
    let nonce = [UInt8](repeating: 9, count: 16)
    let key = KeyDerivation.expand(
      KeyDerivation.extract(fileKey, salt: nonce), for: Array("payload".utf8))
    func sealed(_ content: [UInt8], _ number: UInt8, _ last: UInt8) -> [UInt8] {
      let place = [UInt8](repeating: 0, count: 10) + [number, last]
      return Sealing.seal(content, context: [], key: key, nonce: place)
    }
    let content = content(64 << 10)
    let whole = nonce + sealed(content, 0, 1)
    #expect(AgePayload.seal(content, fileKey: fileKey, nonce: nonce) == whole)
    #expect(try AgePayload.open(whole[...], fileKey: fileKey) == content)
    let other = nonce + sealed(content, 0, 0) + sealed([], 1, 1)
    #expect(throws: SyncError.self) { try AgePayload.open(other[...], fileKey: fileKey) }
  }

  @Test func `a file cannot ask for more work than anyone would choose`() throws {
    let salt = AgeHeader.encoded([UInt8](repeating: 1, count: 16))
    for (work, word) in [("21", "2^21"), ("63", "2^63"), ("9", "2^9"), ("010", "damaged")] {
      let stanza = AgeHeader.Stanza(
        arguments: ["scrypt", salt, work], body: [UInt8](repeating: 2, count: 32))
      let key = [UInt8](repeating: 3, count: 16)
      let file =
        AgeHeader.serialized([stanza], fileKey: key)
        + AgePayload.seal([1], fileKey: key, nonce: key)
      let error = refusal(file)
      #expect(error?.code == .inputInvalid && error?.message.contains(word) == true)
    }
  }

  @Test func `a header without end is refused`() {
    let lines = String(repeating: "-> scrypt x 10\nAAAA\n", count: 100_000)
    #expect(refusal(Array("age-encryption.org/v1\n\(lines)".utf8))?.code == .inputInvalid)
    let newer = refusal(Array("age-encryption.org/v2\n".utf8))
    #expect(newer?.message.contains("newer") == true)
  }
}

import SyncCrypto
import SyncKit
import SyncKitFormats
import Testing

@testable import SyncKitEncryption

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The test kit of age's authors: what is a file of age, what is none, and what is in it.
struct AgeVectorTests {
  /// One file of the kit: lines that say what to expect, an empty line, the file of age.
  struct Vector: CustomTestStringConvertible {
    let testDescription: String
    private var lines: [String: String] = [:]
    private let file: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) throws {
      testDescription = name
      var rest = bytes[...]
      while let end = rest.firstIndex(of: 0x0A) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest = rest[(end + 1)...]
        guard let colon = line.firstRange(of: ": ") else { break }
        lines[String(line[..<colon.lowerBound])] = String(line[colon.upperBound...])
      }
      guard lines["compressed"] == "zlib" else {
        file = Array(rest)
        return
      }
      var unpacked: [UInt8] = []
      let inflater = try Inflater(.zlib)
      _ = try inflater.feed(rest) { unpacked += $0 }
      file = unpacked
    }

    var expected: String { lines["expect"] ?? "" }
    var digest: String? { lines["payload"] }

    /// The content, by the passphrase; by the key of the file where a key is the recipient.
    func open() throws -> [UInt8] {
      if let passphrase = lines["passphrase"] {
        return try AgeFile.open(file, passphrase: passphrase)
      }
      let header = try AgeHeader(file)
      let fileKey = bytes(lines["file key"] ?? "")
      guard header.isSealed(by: fileKey) else { throw SyncError.badAge("its header was changed") }
      return try AgePayload.open(file[header.length...], fileKey: fileKey)
    }

    private func bytes(_ text: String) -> [UInt8] {
      let digits = text.compactMap { $0.hexDigitValue }
      return stride(from: 0, to: digits.count, by: 2).map {
        UInt8(digits[$0] << 4 | digits[$0 + 1])
      }
    }
  }

  private static let vectors: [Vector] = {
    let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let folder = "/\(tests)/Corpora/age"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0 != "README.md" }.sorted().compactMap { name in
      FileManager.default.contents(atPath: "\(folder)/\(name)").flatMap {
        try? Vector(name, Array($0))
      }
    }
  }()

  @Test func `all vectors are there`() {
    #expect(Self.vectors.count == 75)
    #expect(Self.vectors.filter { $0.expected == "success" }.count == 9)
  }

  @Test(arguments: vectors)
  func `a file opens, or is refused, as age's authors say`(_ vector: Vector) throws {
    guard vector.expected != "success" else {
      let digest = SHA256.hash(try vector.open()).map {
        ($0 < 16 ? "0" : "") + String($0, radix: 16)
      }
      #expect(digest.joined() == vector.digest)
      return
    }
    let error = try #require(throws: SyncError.self) { try vector.open() }
    // Here no stanza is one of a passphrase; the kit counts that as a key that does not match.
    let isWrong = vector.expected == "no match" && vector.testDescription != "scrypt_uppercase"
    #expect(error.code == (isWrong ? .wrongPassphrase : .inputInvalid), "\(error)")
    if vector.testDescription == "scrypt_work_factor_23" {
      #expect(error.message.contains("2^23"))
    }
  }
}

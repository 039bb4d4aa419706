import RealPlaces
import SFTPTransport
import SyncKit
import Testing

/// A server that breaks the protocol ends the connection and nothing else.
@Suite struct HostileServers {
  /// What comes of a server that greets with some bytes and answers the first request with others.
  private func code(_ answer: [UInt8], greeting: [UInt8]? = nil) async throws -> SyncError.Code? {
    let script = """
      head -c 9 >/dev/null; printf '\(octal(greeting ?? self.greeting))'
      head -c 4 >/dev/null; printf '\(octal(answer))'; exec sleep 60
      """
    let access = SFTPAccess(
      host: "box", command: ["sh", "-c", script], variables: ["PATH": "/usr/bin:/bin"],
      environment: SyncEnvironment(now: { 0 }, random: { 4 })
    ) { _ in }
    let store = SFTPBlobStore(server: SFTPServer(access), path: "x")
    return await SFTPTransportTests.code { try await store.prepare(creating: true) }
  }

  private func octal(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }.joined()
  }

  private let greeting: [UInt8] = [0, 0, 0, 5, 2, 0, 0, 0, 3]

  @Test func anAnswerOfAnotherKindIsRefused() async throws {
    // A handle, where attributes were asked for.
    #expect(
      try await code([0, 0, 0, 10, 102, 0, 0, 0, 0, 0, 0, 0, 1, 65]) == .remoteProtocol)
  }

  @Test func anAnswerToAnotherQuestionIsRefused() async throws {
    #expect(
      try await code([0, 0, 0, 9, 101, 9, 9, 9, 9, 0, 0, 0, 0]) == .remoteProtocol)
  }

  @Test func aPacketThatIsNoneIsRefused() async throws {
    for packet: [UInt8] in [
      [0, 0, 0, 1, 77], [0, 0, 0, 2, 105, 0], [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF, 105],
    ] {
      #expect(try await code(packet) == .remoteProtocol)
    }
  }

  @Test func anotherVersionIsRefused() async throws {
    #expect(try await code([], greeting: [0, 0, 0, 5, 2, 0, 0, 0, 6]) == .remoteProtocol)
    #expect(try await code([], greeting: [0, 0, 0, 5, 3, 0, 0, 0, 3]) == .remoteProtocol)
  }

  @Test func aBareSuccessIsNoAnswerToAQuestionForMore() async throws {
    #expect(
      try await code([0, 0, 0, 9, 101, 0, 0, 0, 0, 0, 0, 0, 0]) == .remoteUnavailable)
  }
}

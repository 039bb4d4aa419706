import FaultyNetwork
import RealPlaces
import SyncKit
import SyncKitHTTP
import Testing

@testable import WebDAVTransport

/// What a server tells of its clock, its room and its uploads.
@Suite struct WebDAVSurveys {
  private let log = RequestLog()

  private func store(
    _ server: WebDAVServer, _ twist: @escaping TwistedCarrier.Twist = { try await $1($0) }
  ) async throws -> WebDAVBlobStore {
    let store = try server.store("survey", log, twist)
    try await store.prepare(creating: true)
    log.forget()
    return store
  }

  @Test(arguments: WebDAVServer.Kind.allCases)
  func `a trial moves its upload, and nothing is left`(kind: WebDAVServer.Kind) async throws {
    let server = try WebDAVServer(kind)
    defer { server.process.stop() }
    let store = try await store(server)
    try await store.tryPutting(10_000, in: "home")
    #expect(log.methods == ["PUT", "MOVE", "DELETE"])
    #expect(ServedFolder(server.folder)?.files == [])
    let survey = try await store.survey()
    #expect(survey.notes.isEmpty)
    #expect(survey.clock != nil, "\(kind) says no time")
    #expect(survey.room.map { $0 > 0 } ?? true)
  }

  @Test(arguments: [207, 403, 404, 405, 409])
  func `uploads that cannot be moved are a note, and go under their names`(
    status: Int
  ) async throws {
    let server = try WebDAVServer(.apache)
    defer { server.process.stop() }
    let store = try await store(server) { request, forward in
      request.method == "MOVE" ? CarriedAnswer(status: status) : try await forward(request)
    }
    #expect(try await store.survey().notes.isEmpty)
    try await store.tryPutting(100, in: "home")
    let notes = try await store.survey().notes
    #expect(notes.count == 1 && notes[0].contains("under their own names"), "\(notes)")
    log.forget()
    #expect(try await store.put("home/a", [1], replacing: true))
    #expect(!log.methods.contains("MOVE"))
    #expect(ServedFolder(server.folder)?.files == ["survey/home/a"])
  }

  @Test func `a move that has happened though its answer says otherwise is one`() async throws {
    let server = try WebDAVServer(.apache)
    defer { server.process.stop() }
    let store = try await store(server) { request, forward in
      let answer = try await forward(request)
      return request.method == "MOVE" ? CarriedAnswer(status: 207) : answer
    }
    try await store.tryPutting(100, in: "home")
    #expect(try await store.survey().notes.isEmpty)
    #expect(ServedFolder(server.folder)?.files == [])
  }

  @Test func `the time of an answer is compared with this device's`() async throws {
    let server = try WebDAVServer(.nginx)
    defer { server.process.stop() }
    // The server is made to say a time long ago.
    let store = try server.store("survey", log) { request, forward in
      let answer = try await forward(request)
      return CarriedAnswer(
        status: answer.status,
        headers: answer.headers.filter { $0.name.lowercased() != "date" } + [
          (name: "Date", value: HTTPDates.text)
        ], body: try await answer.bytes(upTo: 1 << 20))
    }
    try await store.prepare(creating: true)
    let now = store.connection.server.access.environment.now()
    let clock = try #require(try await store.survey().clock)
    #expect(clock.isFar)
    #expect(abs(clock.lead - (HTTPDates.milliseconds - now)) < 60_000)
  }

  /// A time in the two forms.
  private enum HTTPDates {
    static let text = "Tue, 15 Nov 1994 12:45:26 GMT"
    static let milliseconds: Int64 = 784_903_526_000
  }

  @Test(arguments: [("5000", Int64(5_000)), ("-3", nil), ("0", 0), ("many", nil)])
  func `a room below zero is none that is known`(said: String, room: Int64?) throws {
    let status = try MultiStatus(
      Array(
        """
        <d:multistatus xmlns:d="DAV:"><d:response><d:href>/dav/</d:href><d:propstat><d:prop>
        <d:quota-available-bytes>\(said)</d:quota-available-bytes></d:prop>
        <d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>
        """.utf8))
    #expect(status.resources.first?.room == room)
  }
}

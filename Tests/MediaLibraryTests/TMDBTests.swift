import SyncKitFormats
import SyncKit
import Synchronization
import Testing

@testable import MediaLibrary

/// A scripted stand-in for The Movie Database.
struct TMDBTests {
  private final class Script: WebFetching {
    private let answers: [String: WebResponse]
    private let asked = Mutex<[WebRequest]>([])

    init(_ answers: [String: WebResponse]) { self.answers = answers }
    var requests: [WebRequest] { asked.withLock { $0 } }

    func fetch(_ request: WebRequest) async throws -> WebResponse {
      asked.withLock { $0.append(request) }
      let path = request.url.split(separator: "?")[0].dropFirst("http://tmdb.test/3/".utf8.count)
      guard let answer = answers[String(path)] else { throw Failure(url: request.url) }
      return answer
    }

    struct Failure: Error, CustomStringConvertible {
      var url: String
      var description: String { "no way to \(url)" }
    }
  }

  private final class Memory: TMDBCache {
    private let kept = Mutex<[String: [UInt8]]>([:])
    var names: [String] { kept.withLock { $0.keys.sorted() } }
    func load(_ name: String) -> [UInt8]? { kept.withLock { $0[name] } }
    func save(_ answer: [UInt8], as name: String) { kept.withLock { $0[name] = answer } }
  }

  private func ok(_ text: String) -> WebResponse {
    WebResponse(status: 200, body: Array(text.utf8))
  }

  private func client(_ script: Script, key: String = "secret", cache: Memory? = nil) -> TMDBClient
  {
    TMDBClient(base: "http://tmdb.test/3/", key: key, fetcher: script, cache: cache)
  }

  @Test func `details of a film become fields, and a second question sends no request`()
    async throws
  {
    let script = Script([
      "movie/603": ok(
        """
        {"id": 603, "imdb_id": "tt0133093", "title": "The Matrix", "original_title": "The Matrix",
         "overview": "Welcome.", "poster_path": "/p.jpg", "release_date": "1999-03-31",
         "runtime": 136, "vote_average": 8.2, "vote_count": 25000,
         "genres": [{"id": 28, "name": "Action"}], "status": "Released", "popularity": 60.5}
        """)
    ])
    let memory = Memory()
    let client = client(script, cache: memory)
    let fields = try await client.details(.movie, 603)
    #expect(fields["runtime"] == 136 && fields["imdbId"] == "tt0133093" && fields["year"] == 1999)
    #expect(fields["genres"] == .list(["Action"]))
    #expect(try await client.details(.movie, 603) == fields)
    #expect(script.requests.count == 1)
    #expect(script.requests[0].url == "http://tmdb.test/3/movie/603?api_key=secret")
    #expect(memory.names.allSatisfy { !$0.contains("secret") && $0.utf8.allSatisfy { $0 != 0x2F } })
  }

  @Test func `a token goes into a header, not into the address`() async throws {
    let script = Script(["movie/1": ok("{}")])
    _ = try await client(script, key: "a.b.c").details(.movie, 1)
    #expect(script.requests[0].url == "http://tmdb.test/3/movie/1")
    #expect(script.requests[0].headers.contains { $0 == ("Authorization", "Bearer a.b.c") })
  }

  @Test(arguments: [
    (429, "tmdb.rate-limited", Int32(75)), (401, "remote.denied", 77),
    (404, "record.not-found", 66),
    (503, "remote.unavailable", 69), (418, "remote.io", 74),
  ])
  func `a refusal has a code and a status of its own`(
    status: Int, code: String, exit: Int32
  )
    async throws
  {
    let script = Script([
      "movie/1": WebResponse(status: status, headers: [("retry-after", "7")], body: [])
    ])
    let error = await #expect(throws: SyncError.self) {
      try await client(script).details(.movie, 1)
    }
    #expect(error?.code.name == code && error?.code.exit == exit)
    #expect(error?.code.isRetryable == true || ![429, 503].contains(status))
    #expect(status != 429 || error?.message.contains("7 s") == true)
  }

  @Test(arguments: ["", "[]", "<html>", "{"])
  func `an answer that is not an object is refused`(text: String) async throws {
    await #expect(throws: SyncError.self) {
      try await client(Script(["movie/1": ok(text)])).details(.movie, 1)
    }
  }

  @Test func `a server that cannot be reached is reported without the key`() async throws {
    let error = await #expect(throws: SyncError.self) {
      try await client(Script([:])).details(.movie, 1)
    }
    #expect(error?.code == .remoteUnavailable)
    #expect(error.map { "\($0)".contains("secret") } == false)
  }

  @Test func `a search gives candidates; what fills an item overwrites nothing`() async throws {
    let script = Script([
      "search/movie": ok(
        #"{"results": [{"id": 438631, "title": "Dune", "release_date": "2021-09-15"}, {"id": "x"}]}"#
      ),
      "tv/1396/season/1": ok(
        #"{"episodes": [{"id": 62085, "season_number": 1, "episode_number": 1, "name": "Pilot", "air_date": "2008-01-20"}, {}]}"#
      ),
    ])
    let found = try await client(script).search(.movie, "Dune & co", year: 2021)
    #expect(found.map(\.number) == [438_631] && found[0].year == 2021)
    #expect(script.requests[0].url.contains("query=Dune%20%26%20co&year=2021"))
    let episodes = try await client(script).season(1, of: 1396)
    let device = try FilmLover("laptop")
    let list = try device.list("Weekend")
    let series = try device.item("Breaking Bad", in: list, ["mediaType": "tv", "overview": "mine"])
    let library = try device.library
    try device.store.write {
      try $0.fill(
        series, ["overview": "theirs", "runtime": 49], episodes: episodes, in: library)
    }
    let item = try #require(try device.store.record(series))
    #expect(item["overview"].string == "mine" && item["runtime"].int == 49)
    #expect(try device.library.episodes(of: series).map { $0["name"].string } == ["Pilot"])
  }
}

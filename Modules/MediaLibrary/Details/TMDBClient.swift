public import SyncKitFormats
public import SyncKit

/// Asks The Movie Database for details, with the person's own key.
///
/// ## Promises
///
/// - A fresh earlier answer comes from the cache, without a request.
/// - The key is in no message and in no name in the cache.
/// - A refusal for too many requests is `tmdb.rate-limited`, which can be retried, and says when.
///
/// Source: [TMDB API](https://developer.themoviedb.org/reference/intro/getting-started), version 3.
public struct TMDBClient: Sendable {
  /// The address of TMDB.
  public static let address = "https://api.themoviedb.org/3"

  private let base: String
  private let key: String
  private let fetcher: any WebFetching
  private let cache: (any TMDBCache)?

  /// Makes a client.
  ///
  /// - Parameters:
  ///   - base: The address of TMDB, without a slash at the end.
  ///   - key: A key of version 3, or a read token.
  ///   - fetcher: Sends requests.
  ///   - cache: Keeps answers; nil to send a request each time.
  public init(
    base: String = address, key: String, fetcher: any WebFetching, cache: (any TMDBCache)? = nil
  ) {
    self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    self.key = key
    self.fetcher = fetcher
    self.cache = cache
  }

  /// The details of a film or series, as fields of an item.
  ///
  /// - Throws: ``SyncKit/SyncError`` `record.not-found` when TMDB does not know the number,
  ///   `tmdb.rate-limited`, `remote.denied`, `remote.unavailable`.
  public func details(_ type: MediaID.MediaType, _ number: Int64) async throws -> [FieldName: Value]
  {
    TMDBFields.item(try await ask("\(type.rawValue)/\(number)"), type)
  }

  /// The episodes of a season, as fields of episodes.
  public func season(_ season: Int64, of series: Int64) async throws -> [[FieldName: Value]] {
    let answer = try await ask("tv/\(series)/season/\(season)")
    return (answer["episodes"]?.array ?? []).compactMap { TMDBFields.episode($0) }
  }

  /// The titles that a name may mean, the best first.
  public func search(
    _ type: MediaID.MediaType, _ title: String, year: Int64?
  ) async throws -> [TMDBCandidate] {
    var query = [("query", title)]
    if let year {
      query.append((type == .movie ? "year" : "first_air_date_year", "\(year)"))
    }
    let answer = try await ask("search/\(type.rawValue)", query)
    return (answer["results"]?.array ?? []).compactMap { TMDBCandidate($0, type) }
  }

  /// The title with an IMDb id; nil when TMDB has none.
  public func find(imdb: String) async throws -> TMDBCandidate? {
    let answer = try await ask("find/\(imdb)", [("external_source", "imdb_id")])
    let film = answer["movie_results"]?.array?.first.flatMap { TMDBCandidate($0, .movie) }
    return film ?? answer["tv_results"]?.array?.first.flatMap { TMDBCandidate($0, .tv) }
  }

  // MARK: Requests

  private func ask(_ path: String, _ query: [(String, String)] = []) async throws -> JSON {
    let question = query.map { "\($0)=\(Self.escaped($1))" }.joined(separator: "&")
    let name = Self.name("\(path)?\(question)")
    if let bytes = cache?.load(name), let known = try? JSON(parsing: bytes) { return known }
    let response = try await send(path, question)
    guard let answer = try? JSON(parsing: response.body), answer.object != nil else {
      throw SyncError(.remoteIO, "TMDB's answer to '\(path)' is not JSON")
    }
    cache?.save(response.body, as: name)
    return answer
  }

  private func send(_ path: String, _ question: String) async throws -> WebResponse {
    var url = "\(base)/\(path)"
    var headers = [(name: "Accept", value: "application/json")]
    var parts = question.isEmpty ? [] : [question]
    // Tokens have points between their parts, keys of version 3 are hexadecimal.
    if key.contains(".") {
      headers.append((name: "Authorization", value: "Bearer \(key)"))
    } else {
      parts.append("api_key=\(Self.escaped(key))")
    }
    if !parts.isEmpty { url += "?" + parts.joined(separator: "&") }
    let response: WebResponse
    do {
      response = try await fetcher.fetch(WebRequest(url: url, headers: headers))
    } catch {
      // The cause may quote the address, and the key with it.
      let cause = "\(error)".contains(key) ? nil : "\(error)"
      throw SyncError(.remoteUnavailable, "TMDB cannot be reached", cause: cause)
    }
    return try Self.checked(response, path)
  }

  private static func checked(_ response: WebResponse, _ path: String) throws -> WebResponse {
    switch response.status {
    case 200..<300: return response
    case 401, 403:
      throw SyncError(
        .remoteDenied, "TMDB does not accept the key",
        hint: "check the key that domains.media.tmdb.key refers to")
    case 404: throw SyncError(.notFound, "TMDB has nothing at '\(path)'")
    case 429:
      let wait = response["Retry-After"].flatMap { Int64($0) }
      throw SyncError(
        .tmdbLimit, "TMDB asks to wait\(wait.map { " for \($0) s" } ?? "")",
        hint: "try again later; the answers so far are kept")
    default:
      throw SyncError(
        response.status >= 500 ? .remoteUnavailable : .remoteIO,
        "TMDB answered '\(path)' with status \(response.status)")
    }
  }

  /// The name of an answer in the cache: letters, digits and `-` only, short, and never with the key.
  private static func name(_ question: String) -> String {
    let safe = question.utf8.prefix(40).map { byte -> UInt8 in
      switch byte {
      case 0x30...0x39, 0x61...0x7A: byte
      default: UInt8(ascii: "-")
      }
    }
    return "\(String(decoding: safe, as: UTF8.self))-\(MediaID.tag(question))"
  }

  /// A text escaped for a query: everything but letters, digits and `-._~` as bytes.
  static func escaped(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
      default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Keeps answers of TMDB on this machine; they are never synced.
public protocol TMDBCache: Sendable {
  /// The fresh answer with that name; names are safe for files.
  func load(_ name: String) -> [UInt8]?
  /// Keeps an answer; one that cannot be kept is requested again.
  func save(_ answer: [UInt8], as name: String)
}

/// A film or series that TMDB proposes.
public struct TMDBCandidate: Hashable, Sendable {
  /// Whether it is a film or a series.
  public let type: MediaID.MediaType
  /// Its TMDB number.
  public let number: Int64
  /// Its title.
  public let title: String
  /// The year of the first release.
  public let year: Int64?

  init?(_ json: JSON, _ type: MediaID.MediaType) {
    guard let number = json["id"]?.int, number > 0,
      let title = json[type == .movie ? "title" : "name"]?.string, !title.isEmpty
    else { return nil }
    self.type = type
    self.number = number
    self.title = title
    let date = json[type == .movie ? "release_date" : "first_air_date"]?.string
    year = date.flatMap(Day.init).map { Int64($0.year) }
  }
}

extension SyncError.Code {
  /// TMDB asks for fewer requests.
  public static let tmdbLimit = Self("tmdb.rate-limited", exit: 75, retryable: true)
}

public import SyncKitFormats
import SyncKit

/// Fetches a rider's data from Strava, with a token that it renews in time.
///
/// - A token that ends soon is renewed before it is used, and the new one is kept by `save` before
///   it is used: the old one is no longer valid.
/// - No request is sent when the last answer said that the requests are used up.
/// - A request that is refused for its token is sent once more with a new one.
public actor StravaClient {
  private let access: StravaAccess
  private let secret: String
  private let fetcher: any WebFetching
  private let now: @Sendable () -> Int64
  private let save: @Sendable (StravaToken) throws -> Void
  private var token: StravaToken?
  private var limit = StravaRateLimit()

  /// Makes a client.
  ///
  /// - Parameters:
  ///   - access: The address of Strava, and the rider's app.
  ///   - secret: The secret of the app.
  ///   - token: The stored token; nil before the first login.
  ///   - fetcher: Sends the requests.
  ///   - now: The time in milliseconds since 1970.
  ///   - save: Stores a new token durably.
  public init(
    _ access: StravaAccess, secret: String, token: StravaToken?, fetcher: any WebFetching,
    now: @escaping @Sendable () -> Int64, save: @escaping @Sendable (StravaToken) throws -> Void
  ) {
    self.access = access
    self.secret = secret
    self.token = token
    self.fetcher = fetcher
    self.now = now
    self.save = save
  }

  /// Gets the first token for a code that the browser brought.
  ///
  /// - Returns: The rider's first name, if Strava gives it.
  /// - Throws: ``SyncKit/SyncError`` `strava.denied` and the like.
  @discardableResult
  public func logIn(code: String, scope: String?) async throws -> String? {
    let answer = try await askForToken(
      [("grant_type", "authorization_code"), ("code", code)], scope: scope)
    return answer["athlete"]?["firstname"]?.string
  }

  /// Revokes the token at Strava.
  public func logOut() async throws {
    let token = try await usableToken()
    let response = try await send(
      WebRequest(
        method: "POST", url: "\(access.url)/oauth/deauthorize",
        headers: [("Authorization", "Bearer \(token.access)")]))
    guard response.status == 200 || response.status == 401 else {
      throw SyncError.strava(response, "the logout", now: now())
    }
  }

  /// The rider, with bikes where the token allows it.
  public func athlete() async throws -> JSON { try await get("/athlete", "the athlete") }

  /// A bike by its id; nil when Strava has none with that id, or does not show it.
  public func gear(_ id: String) async throws -> JSON? {
    do {
      return try await get("/gear/\(PercentEncoding.encode(id))", "the gear \(id)")
    } catch let error as SyncError where error.code == .notFound || error.code == .stravaDenied {
      return nil
    }
  }

  /// A page of activities that began after a time, the oldest first.
  ///
  /// - Parameters:
  ///   - after: In seconds since 1970.
  ///   - page: From 1; all pages after the last one are empty.
  /// - Returns: The activities as they were sent.
  /// - Throws: ``SyncKit/SyncError`` `strava.denied` and the like.
  public func activities(after: Int64, page: Int) async throws -> [JSON] {
    let query = URLForm.encode([
      ("after", "\(after)"), ("page", "\(page)"), ("per_page", "\(Self.pageLength)"),
    ])
    let answer = try await get("/athlete/activities?\(query)", "the activities")
    guard let activities = answer.array else {
      throw SyncError(.stravaAnswer, "Strava's list of activities is not a list.")
    }
    return activities
  }

  /// The maximum number of activities on a page.
  public static let pageLength = 200

  // MARK: Requests

  private func get(_ path: String, _ what: String) async throws -> JSON {
    var token = try await usableToken()
    func request() -> WebRequest {
      WebRequest(
        url: "\(access.url)/api/v3\(path)",
        headers: [("Authorization", "Bearer \(token.access)"), ("Accept", "application/json")])
    }
    var response = try await send(request())
    if response.status == 401 {
      token = try await renewed(token)
      response = try await send(request())
    }
    guard response.status == 200 else { throw SyncError.strava(response, what, now: now()) }
    return try Self.document(response.body, what)
  }

  private func usableToken() async throws -> StravaToken {
    guard let token else {
      throw SyncError(
        .stravaDenied, "This device has no access to Strava yet.",
        hint: "Log in with 'cloudsync bike strava login'.")
    }
    return token.isStale(now: now()) ? try await renewed(token) : token
  }

  private func renewed(_ old: StravaToken) async throws -> StravaToken {
    try await askForToken(
      [("grant_type", "refresh_token"), ("refresh_token", old.refresh)], scope: old.scope)
    guard let token else { throw SyncError(.bug, "The Strava token is gone.") }
    return token
  }

  @discardableResult
  private func askForToken(_ pairs: [(String, String)], scope: String?) async throws -> JSON {
    let form = [("client_id", access.clientID), ("client_secret", secret)] + pairs
    let response = try await send(
      WebRequest(
        method: "POST", url: "\(access.url)/api/v3/oauth/token",
        headers: [
          ("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json"),
        ], body: Array(URLForm.encode(form).utf8)))
    guard response.status == 200 else {
      var error = SyncError.strava(response, "the token", now: now())
      // Strava answers a code or token that is no longer valid with 400.
      if response.status == 400 {
        error.code = .stravaDenied
        error.hint = "Log in again with 'cloudsync bike strava login'."
      }
      throw error
    }
    let answer = try Self.document(response.body, "the token")
    guard let new = answer["access_token"]?.string, let refresh = answer["refresh_token"]?.string,
      !new.isEmpty, !refresh.isEmpty, let expires = answer["expires_at"]?.int,
      0...Timestamp.latest / 1000 ~= expires
    else { throw SyncError(.stravaAnswer, "Strava's answer has no token.") }
    let token = StravaToken(
      access: new, refresh: refresh, expires: expires * 1000,
      scope: answer["scope"]?.string ?? scope)
    try save(token)
    self.token = token
    return answer
  }

  private func send(_ request: WebRequest) async throws -> WebResponse {
    if let window = limit.spent { throw SyncError.stravaLimit(window, now: now()) }
    let response: WebResponse
    do { response = try await fetcher.fetch(request) } catch let error as SyncError {
      throw error
    } catch {
      throw SyncError(.stravaUnavailable, "Strava cannot be reached.", cause: "\(error)")
    }
    limit = StravaRateLimit(response)
    return response
  }

  private static func document(_ body: [UInt8], _ what: String) throws -> JSON {
    do throws(JSONError) { return try JSON(parsing: ExactIntegers.quoted(body)) } catch {
      throw SyncError(.stravaAnswer, "Strava's answer for \(what) is not JSON: \(error).")
    }
  }
}

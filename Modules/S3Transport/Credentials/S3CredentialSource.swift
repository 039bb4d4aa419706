import SyncKit
import SyncKitText

/// Where the keys of a bucket come from: the configuration, the environment, a profile, a container, the machine.
///
/// Keys that end are fetched again five minutes before.
public actor S3CredentialSource {
  /// How long before their end keys are fetched again, in milliseconds.
  private static let margin: Int64 = 300_000

  private let keys: @Sendable () throws -> S3Credentials?
  private let profile: String?
  private let surroundings: S3Surroundings
  private var known: S3Credentials?

  /// Prepares; nothing is read yet.
  ///
  /// - Parameters:
  ///   - profile: The profile of the AWS tools to take; nil for what the environment says.
  ///   - surroundings: The device.
  ///   - keys: The keys of the configuration, which come before all others; nil for none.
  public init(
    profile: String? = nil, surroundings: S3Surroundings = S3Surroundings(),
    keys: @escaping @Sendable () throws -> S3Credentials? = { nil }
  ) {
    self.profile = profile
    self.surroundings = surroundings
    self.keys = keys
  }

  /// The keys to sign with.
  ///
  /// - Parameter now: Milliseconds since 1970.
  /// - Returns: Keys that hold for some minutes.
  /// - Throws: ``SyncError`` `remote.denied` when there are none.
  func current(at now: Int64) async throws -> S3Credentials {
    if let known, known.expires.map({ $0 - now > Self.margin }) ?? true { return known }
    do {
      let found = try await find()
      known = found
      return found
    } catch {
      // What still holds for a minute is better than nothing.
      if let known, let expires = known.expires, expires > now { return known }
      throw error
    }
  }

  /// Forgets keys that the service refuses as expired; others are looked for at the next request.
  func forget() { known = nil }

  private func find() async throws -> S3Credentials {
    if let given = try keys() { return given }
    if profile == nil, let given = environmentKeys { return given }
    if let found = try await profileKeys() { return found }
    if let found = try await containerKeys() { return found }
    if let found = try await machineKeys() { return found }
    throw SyncError(
      .remoteDenied, "There are no keys for the bucket.",
      hint:
        "Set 'access-key' and 'secret-key' for this remote, or the variables AWS_ACCESS_KEY_ID and "
        + "AWS_SECRET_ACCESS_KEY, or name a 'profile' of ~/.aws/credentials.")
  }

  private var environmentKeys: S3Credentials? {
    guard let accessKey = surroundings.variable("AWS_ACCESS_KEY_ID"),
      let secretKey = surroundings.variable("AWS_SECRET_ACCESS_KEY")
    else { return nil }
    return S3Credentials(
      accessKey: accessKey, secretKey: secretKey,
      sessionToken: surroundings.variable("AWS_SESSION_TOKEN"))
  }

  private func profileKeys() async throws -> S3Credentials? {
    let profiles = try surroundings.profiles()
    let named = profile ?? surroundings.variable("AWS_PROFILE")
    let name = named ?? "default"
    guard profiles.has(name) else {
      guard let named else { return nil }
      throw SyncError(
        .configInvalid, "There is no profile '\(named)' in the files of the AWS tools.",
        hint: "'aws configure list-profiles' lists them; correct 'profile' or AWS_PROFILE.")
    }
    if let accessKey = profiles[name, "aws_access_key_id"],
      let secretKey = profiles[name, "aws_secret_access_key"]
    {
      return S3Credentials(
        accessKey: accessKey, secretKey: secretKey,
        sessionToken: profiles[name, "aws_session_token"])
    }
    if let line = profiles[name, "credential_process"] {
      guard let command = ShellWords.split(line), !command.isEmpty else {
        throw SyncError(
          .configInvalid, "The credential_process of the profile '\(name)' is no command line.",
          hint: "Close its quotation marks, or write a program and its arguments.")
      }
      guard let found = CredentialAnswer.credentials(try await surroundings.run(command)) else {
        throw SyncError(
          .remoteDenied, "The program of the profile '\(name)' prints no keys.",
          hint: "Run its credential_process by hand; it must print JSON with Version 1.")
      }
      return found
    }
    for key in ["role_arn", "sso_session", "sso_start_url"] where profiles[name, key] != nil {
      throw SyncError(
        .configInvalid, "The profile '\(name)' has '\(key)', which needs the AWS tools.",
        hint: "Make a profile with credential_process = aws configure export-credentials --profile "
          + "\(name), and name that one.")
    }
    guard named == nil else {
      throw SyncError(
        .configInvalid, "The profile '\(name)' has no keys.",
        hint: "Run 'aws configure --profile \(name)'.")
    }
    return nil
  }

  private func containerKeys() async throws -> S3Credentials? {
    let url: String
    if let relative = surroundings.variable("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") {
      url = "http://169.254.170.2\(relative.hasPrefix("/") ? "" : "/")\(relative)"
    } else if let full = surroundings.variable("AWS_CONTAINER_CREDENTIALS_FULL_URI") {
      url = full
    } else {
      return nil
    }
    guard ContainerAddress.isTrusted(url) else {
      throw SyncError(
        .configInvalid, "The address in AWS_CONTAINER_CREDENTIALS_FULL_URI is not to be trusted.",
        hint: "It must begin with https:// or lead to this machine or its container service.")
    }
    var headers: [String: String] = [:]
    if let path = surroundings.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE") {
      headers["Authorization"] = try surroundings.read(path).map {
        String(decoding: $0, as: UTF8.self).filter { !$0.isNewline }
      }
    } else {
      headers["Authorization"] = surroundings.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN")
    }
    return try await ask("GET", url, headers).flatMap { CredentialAnswer.credentials($0) }
  }

  private func machineKeys() async throws -> S3Credentials? {
    guard surroundings.variable("AWS_EC2_METADATA_DISABLED")?.lowercased() != "true" else {
      return nil
    }
    let service = "http://169.254.169.254/latest"
    guard
      let token = try await ask(
        "PUT", "\(service)/api/token", ["X-aws-ec2-metadata-token-ttl-seconds": "21600"])
    else { return nil }
    let headers = ["X-aws-ec2-metadata-token": String(decoding: token, as: UTF8.self)]
    let roles = "\(service)/meta-data/iam/security-credentials/"
    guard let list = try await ask("GET", roles, headers),
      let role = String(decoding: list, as: UTF8.self).split(whereSeparator: \.isNewline).first
    else { return nil }
    return try await ask("GET", roles + S3Request.escaped(String(role)), headers).flatMap {
      CredentialAnswer.credentials($0)
    }
  }

  private func ask(
    _ method: String, _ url: String, _ headers: [String: String]
  ) async throws -> [UInt8]? {
    try await surroundings.ask(
      S3Surroundings.Question(method: method, url: url, headers: headers))
  }
}

import SyncKit
import SyncKitHTTP
import Synchronization
import Testing

@testable import S3Transport

/// The profiles of the AWS tools.
@Suite struct Profiles {
  @Test func `both files make a profile, and the file of keys counts first`() {
    let profiles = AWSProfiles(
      credentials: Array(
        """
        # keys
        [default]
        aws_access_key_id = AK1
        aws_secret_access_key=S/K=1
        [work]
        AWS_ACCESS_KEY_ID = AK2
        region = eu-west-2
        """.utf8),
      config: Array(
        """
        [default]
        region = eu-west-1
        s3 =
          addressing_style = path
          aws_access_key_id = no
        [profile work]\r
        region = eu-west-3\r
        credential_process = "/opt/my keys" --profile work\r
        [profile "two words"]
        region=x
        [sso-session mine]
        region = y
        """.utf8))
    #expect(profiles["default", "aws_access_key_id"] == "AK1")
    #expect(profiles["default", "aws_secret_access_key"] == "S/K=1")
    #expect(profiles["default", "region"] == "eu-west-1")
    #expect(profiles["work", "aws_access_key_id"] == "AK2")
    #expect(profiles["work", "region"] == "eu-west-2")
    #expect(profiles["work", "credential_process"] == "\"/opt/my keys\" --profile work")
    #expect(profiles["two words", "region"] == "x")
    #expect(!profiles.has("mine"))
    #expect(!profiles.has("sso-session mine"))
  }

  @Test func `what is no file of profiles has none`() {
    let profiles = AWSProfiles(credentials: [0xFF, 0x5B, 0x0A, 0x3D], config: Array("[\n=\n".utf8))
    #expect(!profiles.has("default"))
  }

  @Test func `the region comes from a profile or the environment`() throws {
    var device = S3Surroundings(home: "/home/ada") { path in
      path == "/home/ada/.aws/config"
        ? Array("[default]\nregion=a\n[profile b]\nregion=b\n".utf8) : nil
    }
    #expect(try device.region() == "a")
    #expect(try device.region(profile: "b") == "b")
    #expect(try device.region(profile: "c") == nil)
    device.variables = ["AWS_DEFAULT_REGION": "d", "AWS_PROFILE": "b"]
    #expect(try device.region() == "d")
    #expect(try device.region(profile: "b") == "b")
  }
}

/// Where keys come from, in their order.
@Suite struct CredentialSources {
  private let process = #"{"Version":1,"AccessKeyId":"PK","SecretAccessKey":"PS"}"#

  private func accessKey(
    _ device: S3Surroundings, profile: String? = nil, keys: S3Credentials? = nil
  ) async throws -> String {
    try await S3CredentialSource(profile: profile, surroundings: device) { keys }.current(at: 0)
      .accessKey
  }

  private func files(_ variables: [String: String] = [:]) -> S3Surroundings {
    S3Surroundings(variables: variables, home: "/h") { path in
      switch path {
      case "/h/.aws/credentials":
        Array("[default]\naws_access_key_id=FK\naws_secret_access_key=FS\n".utf8)
      case "/h/.aws/config":
        Array(
          "[profile p]\ncredential_process=get 'my keys'\n[profile r]\nrole_arn=x\n[profile u]\ncredential_process=get 'x\n"
            .utf8)
      case "/elsewhere": Array("[default]\naws_access_key_id=EK\naws_secret_access_key=ES\n".utf8)
      default: nil
      }
    } run: { command in
      command == ["get", "my keys"] ? Array(process.utf8) : []
    }
  }

  @Test func `the configuration comes first, then the environment, then a profile`() async throws {
    let variables = ["AWS_ACCESS_KEY_ID": "VK", "AWS_SECRET_ACCESS_KEY": "VS"]
    let own = S3Credentials(accessKey: "CK", secretKey: "CS")
    #expect(try await accessKey(files(variables), keys: own) == "CK")
    #expect(try await accessKey(files(variables)) == "VK")
    // A profile that is named is meant.
    #expect(try await accessKey(files(variables), profile: "p") == "PK")
    #expect(try await accessKey(files()) == "FK")
    #expect(try await accessKey(files(["AWS_PROFILE": "p"])) == "PK")
    #expect(try await accessKey(files(["AWS_SHARED_CREDENTIALS_FILE": "/elsewhere"])) == "EK")
  }

  @Test func `a profile that cannot be used says why`() async throws {
    let missing = try await #require(throws: SyncError.self) {
      try await accessKey(files(), profile: "q")
    }
    #expect(missing.message.contains("no profile 'q'"))
    let role = try await #require(throws: SyncError.self) {
      try await accessKey(files(), profile: "r")
    }
    #expect(role.hint?.contains("export-credentials") == true)
    let unclosed = try await #require(throws: SyncError.self) {
      try await accessKey(files(), profile: "u")
    }
    #expect(unclosed.code == .configInvalid && unclosed.message.contains("no command line"))
    let nothing = try await #require(throws: SyncError.self) {
      try await accessKey(S3Surroundings())
    }
    #expect(nothing.code == .remoteDenied)
  }

  @Test func `a container gives keys for a token`() async throws {
    let asked = Mutex<[S3Surroundings.Question]>([])
    func device(_ variables: [String: String]) -> S3Surroundings {
      S3Surroundings(variables: variables) {
        $0 == "/token" ? Array("secret\n".utf8) : nil
      } ask: {
        question in
        asked.withLock { $0.append(question) }
        return Array(#"{"AccessKeyId":"QK","SecretAccessKey":"QS","Token":"T"}"#.utf8)
      }
    }
    #expect(
      try await accessKey(
        device([
          "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:80/x?y",
          "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": "/token",
        ])) == "QK")
    #expect(
      try await accessKey(device(["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2/keys"])) == "QK")
    let questions = asked.withLock { $0 }
    #expect(questions.map(\.url) == ["http://127.0.0.1:80/x?y", "http://169.254.170.2/v2/keys"])
    #expect(questions.first?.headers == ["Authorization": "secret"])
    // Keys are not fetched in the clear from anywhere.
    let error = try await #require(throws: SyncError.self) {
      try await accessKey(
        device(["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://example.org/keys"]))
    }
    #expect(error.code == .configInvalid)
  }

  @Test func `a machine gives the keys of its role for a token`() async throws {
    let asked = Mutex<[S3Surroundings.Question]>([])
    let device = S3Surroundings(ask: { question in
      asked.withLock { $0.append(question) }
      if question.method == "PUT" { return Array("token".utf8) }
      guard question.headers == ["X-aws-ec2-metadata-token": "token"] else { return nil }
      return question.url.hasSuffix("/security-credentials/")
        ? Array("my-role\n".utf8)
        : Array(
          #"{"Code":"Success","AccessKeyId":"MK","SecretAccessKey":"MS","Token":"T","Expiration":"2026-01-01T00:00:00Z"}"#
            .utf8)
    })
    let found = try await S3CredentialSource(surroundings: device).current(at: 0)
    #expect(found.accessKey == "MK")
    #expect(found.sessionToken == "T")
    #expect(found.expires == 1_767_225_600_000)
    #expect(
      asked.withLock { $0.map(\.url) }.last?.hasSuffix("/security-credentials/my-role") == true)
    var silent = device
    silent.variables = ["AWS_EC2_METADATA_DISABLED": "true"]
    await #expect(throws: SyncError.self) { try await accessKey(silent) }
  }

  @Test func `keys that end are fetched again before, and kept where that fails`() async throws {
    let count = Mutex(0)
    let device = S3Surroundings(home: "/h") { path in
      path == "/h/.aws/config" ? Array("[default]\ncredential_process=get\n".utf8) : nil
    } run: { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      guard number <= 2 else { return [] }
      let hour = number == 1 ? "01" : "02"
      return Array(
        #"{"Version":1,"AccessKeyId":"K\#(number)","SecretAccessKey":"S","Expiration":"1970-01-01T\#(hour):00:00Z"}"#
          .utf8)
    }
    let source = S3CredentialSource(surroundings: device)
    #expect(try await source.current(at: 0).accessKey == "K1")
    #expect(try await source.current(at: 3_200_000).accessKey == "K1")
    #expect(try await source.current(at: 3_400_000).accessKey == "K2")
    #expect(try await source.current(at: 7_100_000).accessKey == "K2")
    await #expect(throws: SyncError.self) { try await source.current(at: 7_200_001) }
  }
}

/// Which buckets there can be, and where they are.
@Suite struct Buckets {
  @Test func `AWS has a bucket in its host, other services in their path`() throws {
    #expect(try S3Bucket("books").address.text == "https://books.s3.us-east-1.amazonaws.com")
    #expect(try S3Bucket("books").path("a b/c") == "/a%20b/c")
    let dotted = try S3Bucket("my.books", region: "eu-west-1")
    #expect(dotted.address.text == "https://s3.eu-west-1.amazonaws.com")
    #expect(dotted.path("a") == "/my.books/a")
    #expect(
      try S3Bucket("books", region: "cn-north-1").address.host
        == "books.s3.cn-north-1.amazonaws.com.cn")
    let endpoint = try #require(ServerAddress("https://minio.example.org:9000/storage/"))
    let own = try S3Bucket("books", endpoint: endpoint)
    #expect(own.address == endpoint)
    #expect(own.path(nil) == "/storage/books")
    #expect(own.path("a") == "/storage/books/a")
    let host = try S3Bucket("books", endpoint: endpoint, style: .host)
    #expect(host.address.text == "https://books.minio.example.org:9000/storage")
    #expect(host.path("a") == "/storage/a")
  }

  @Test func `what cannot be a bucket is refused`() throws {
    for name in ["", "ab", "a/b", "a b c", "...", "a..b", String(repeating: "a", count: 64)] {
      #expect(throws: SyncError.self, "\(name)") { try S3Bucket(name) }
    }
    for prefix in ["a//b", "../a", "a/./b", "a\u{0}b"] {
      #expect(throws: SyncError.self, "\(prefix)") { try S3Bucket("books", prefix: prefix) }
    }
    #expect(throws: SyncError.self) { try S3Bucket("books", region: "eu/west") }
    let address = try #require(ServerAddress("https://[::1]:9000"))
    #expect(throws: SyncError.self) { try S3Bucket("books", endpoint: address, style: .host) }
    #expect(try S3Bucket("books", prefix: "/a/b/").prefix == "a/b")
  }

  @Test func `a place in messages is what was written`() throws {
    #expect(try S3Bucket("books").location == "'s3:books'")
    let endpoint = try #require(ServerAddress("https://minio.example.org"))
    #expect(
      try S3Bucket("books", prefix: "a", endpoint: endpoint).location
        == "'s3:https://minio.example.org/books/a'")
  }
}

/// The device as the search for credentials sees it; a module reads no file and asks no network by itself.
public struct S3Surroundings: Sendable {
  /// A question to the service that hands out the keys of a container or a machine.
  public struct Question: Hashable, Sendable {
    /// The method.
    public var method: String
    /// The whole address.
    public var url: String
    /// Header fields.
    public var headers: [String: String]

    /// Makes a question.
    public init(method: String, url: String, headers: [String: String]) {
      self.method = method
      self.url = url
      self.headers = headers
    }
  }

  /// The variables of the environment.
  public var variables: [String: String]
  /// The person's folder; nil when it is not known.
  public var home: String?
  /// The bytes of a file; nil when there is none.
  public var read: @Sendable (_ path: String) throws -> [UInt8]?
  /// What a program prints, by its name and arguments; it throws when the program fails.
  public var run: @Sendable (_ command: [String]) async throws -> [UInt8]
  /// The body of a good answer; nil when nothing answers within a second or two, or the answer is not good.
  public var ask: @Sendable (_ question: Question) async throws -> [UInt8]?

  /// Describes the device.
  public init(
    variables: [String: String] = [:], home: String? = nil,
    read: @escaping @Sendable (_ path: String) throws -> [UInt8]? = { _ in nil },
    run: @escaping @Sendable (_ command: [String]) async throws -> [UInt8] = { _ in [] },
    ask: @escaping @Sendable (_ question: Question) async throws -> [UInt8]? = { _ in nil }
  ) {
    self.variables = variables
    self.home = home
    self.read = read
    self.run = run
    self.ask = ask
  }

  /// A variable; empty counts as unset.
  func variable(_ name: String) -> String? {
    variables[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The profiles of the person.
  func profiles() throws -> AWSProfiles {
    func file(_ variable: String, _ usual: String) throws -> [UInt8]? {
      guard let path = self.variable(variable) ?? home.map({ "\($0)/.aws/\(usual)" }) else {
        return nil
      }
      return try read(path)
    }
    return AWSProfiles(
      credentials: try file("AWS_SHARED_CREDENTIALS_FILE", "credentials"),
      config: try file("AWS_CONFIG_FILE", "config"))
  }

  /// The region that the environment or a profile names; nil for none.
  ///
  /// - Parameter profile: The profile's name; nil for the usual one.
  /// - Returns: The region, such as `eu-west-1`.
  /// - Throws: What reading a file throws.
  public func region(profile: String? = nil) throws -> String? {
    let name = profile ?? variable("AWS_PROFILE") ?? "default"
    if profile == nil,
      let region = variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION")
    {
      return region
    }
    return try profiles()[name, "region"] ?? variable("AWS_REGION")
      ?? variable("AWS_DEFAULT_REGION")
  }
}

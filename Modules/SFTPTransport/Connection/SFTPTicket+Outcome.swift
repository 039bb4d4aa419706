extension SFTPStatus: Error {
  /// Whether the request succeeded.
  var isDone: Bool { code == Self.done }
  /// Whether there is nothing of that name.
  var isMissing: Bool { code == Self.noSuchFile }
}

extension SFTPTicket {
  /// How a request went that has no other answer.
  func status() async throws -> SFTPStatus {
    if case .status(let status) = try await answer() { status } else { SFTPStatus(SFTPStatus.done) }
  }

  /// A handle, or why there is none.
  func handle() async throws -> Result<[UInt8], SFTPStatus> {
    switch try await answer() {
    case .handle(let handle): .success(handle)
    case .status(let status): .failure(status)
    default: .failure(SFTPStatus(SFTPStatus.done))
    }
  }

  /// What a name stands for, or why that is not known.
  func attributes() async throws -> Result<SFTPAttributes, SFTPStatus> {
    switch try await answer() {
    case .attributes(let attributes): .success(attributes)
    case .status(let status): .failure(status)
    default: .failure(SFTPStatus(SFTPStatus.done))
    }
  }

  /// The next names of a folder; nil at its end, or why there are none.
  func names() async throws -> Result<[SFTPName]?, SFTPStatus> {
    switch try await answer() {
    case .names(let names): .success(names)
    case .status(let status) where status.code == SFTPStatus.endOfFile: .success(nil)
    case .status(let status): .failure(status)
    default: .failure(SFTPStatus(SFTPStatus.done))
    }
  }

  /// Some bytes of a file; nil at its end, or why there are none.
  func data() async throws -> Result<[UInt8]?, SFTPStatus> {
    switch try await answer() {
    case .data(let bytes): .success(bytes)
    case .status(let status) where status.code == SFTPStatus.endOfFile: .success(nil)
    case .status(let status): .failure(status)
    default: .failure(SFTPStatus(SFTPStatus.done))
    }
  }
}

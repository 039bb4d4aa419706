import RealPlaces

/// A real service that keeps a remote in a folder of this machine, where a test can look into it.
struct ServedPlace {
  /// Which service it is.
  enum Kind: String, CaseIterable, Sendable {
    case apache, wsgidav, rcloneWebDAV, rcloneS3, openSSH, plainOpenSSH
  }

  /// The remote, as a person types it.
  let url: String
  /// What else `init` has to be told about it.
  let options: [String]
  /// What the service keeps.
  let folder: String
  /// Ends the service.
  let stop: @Sendable () -> Void

  /// Starts one.
  ///
  /// - Parameters:
  ///   - kind: Which one.
  ///   - meeting: Holds the file with its password.
  /// - Throws: ``PlaceFailure`` when it does not start.
  init(_ kind: Kind, for meeting: MeetingPlace) throws {
    switch kind {
    case .apache: try self.init(WebDAVServer(.apache), meeting)
    case .wsgidav: try self.init(WebDAVServer(.wsgidav), meeting)
    case .rcloneWebDAV: try self.init(WebDAVServer(.rclone), meeting)
    case .rcloneS3: try self.init(RcloneS3(), meeting)
    case .openSSH: try self.init(OpenSSHServer(.inside))
    case .plainOpenSSH: try self.init(OpenSSHServer(.plain))
    }
  }

  private init(_ server: WebDAVServer, _ meeting: MeetingPlace) throws {
    url =
      "webdav:" + server.address.replacing("://", with: "://\(WebDAVServer.user)@") + "/My Files"
    options = ["--password-file", try meeting.secretFile(WebDAVServer.password)]
    folder = server.folder
    stop = { server.process.stop() }
  }

  private init(_ server: RcloneS3, _ meeting: MeetingPlace) throws {
    url = "s3:\(server.address)/\(MotoServer.bucket)/my/sync"
    options = [
      "--set", "access-key=\(RcloneS3.accessKey)", "--set", "region=us-east-1",
      "--set", "secret-key.file=\(try meeting.secretFile(RcloneS3.secretKey))",
    ]
    folder = server.folder
    stop = { server.process.stop() }
  }

  private init(_ server: OpenSSHServer) {
    url = "sftp://127.0.0.1:\(server.port)\(server.path)/my sync"
    options = ["--set", "ssh-command=\(server.command.joined(separator: " "))"]
    folder = server.folder
    stop = { server.stop() }
  }
}

import RealPlaces
import SyncKitFormats
import Testing

/// Secrets in a real keyring, that of GNOME, with the real program.
struct KeyringTests {
  private let meeting: MeetingPlace

  init() throws { meeting = try MeetingPlace() }

  private var laptop: TestDevice { meeting.laptop }

  /// Runs lines of a shell in a session of their own, with an unlocked keyring.
  private func session(
    _ lines: String, _ variables: [String: String] = [:]
  ) async throws -> CommandRunner.Outcome {
    let script = """
      printf password | gnome-keyring-daemon --unlock --components=secrets >"$HOME/keyring.log" 2>&1
      lock() {
        dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets \
          org.freedesktop.Secret.Service.Lock array:objpath:/org/freedesktop/secrets/collection/login >/dev/null
      }
      cd "$HOME"
      \(lines)
      """
    let environment = [
      "HOME": laptop.home, "PATH": "/usr/bin:/bin", "TMPDIR": laptop.home,
      "XDG_RUNTIME_DIR": laptop.home, "CLOUDSYNC": CommandRunner.program,
    ]
    return try await CommandRunner.run(
      ["--", "sh", "-c", script], program: try peer("dbus-run-session"),
      environment: environment.merging(variables) { $1 }, folder: laptop.home, seconds: 120)
  }

  @Test func `a password in the keyring opens a remote as long as the keyring is open`()
    async throws
  {
    let server = try WebDAVServer(.apache)
    defer { server.process.stop() }
    let url =
      "webdav:" + server.address.replacing("://", with: "://\(WebDAVServer.user)@") + "/sync"
    let outcome = try await session(
      """
      printf '%s\\n' "$SECRET" | secret-tool store --label 'cloudsync cloud' cloudsync cloud || exit 90
      "$CLOUDSYNC" init --yes --unencrypted --remote "cloud=$URL" --password-keyring cloud || exit 91
      "$CLOUDSYNC" airports add QQX EQXX || exit 92
      "$CLOUDSYNC" sync || exit 93
      lock
      "$CLOUDSYNC" sync --json 2>locked.json
      test $? = 78 || exit 94
      """, ["URL": url, "SECRET": WebDAVServer.password])
    #expect(outcome.status == 0, "\(outcome.error)")
    let locked = try Files.text(laptop.path("locked.json"))
    #expect(locked.contains("the keyring is locked, so its entry 'cloud'"), "\(locked)")
    #expect(locked.contains("unlock it"))
    let configuration = try Files.text(laptop.path(".config/cloudsync/config.yaml"))
    #expect(configuration.contains("keyring: cloud"))
    #expect(!configuration.contains(WebDAVServer.password))
    let kept = try #require(ServedFolder(server.folder)?.files)
    #expect(kept.contains { $0.hasPrefix("sync/airports/") }, "\(kept)")
  }

  @Test
  func `a passphrase may lie there as well, and one that is missing is told how to get there`()
    async throws
  {
    let outcome = try await session(
      """
      printf 'lamp orbit canoe' | secret-tool store --label backup cloudsync home/backup || exit 90
      "$CLOUDSYNC" airports add QQX EQXX || exit 91
      "$CLOUDSYNC" config set backup.passphrase.keyring home/backup || exit 92
      "$CLOUDSYNC" backup create b.age || exit 93
      "$CLOUDSYNC" config set backup.passphrase.keyring other || exit 94
      "$CLOUDSYNC" backup verify b.age --json 2>missing.json
      test $? = 78 || exit 95
      """)
    #expect(outcome.status == 0, "\(outcome.error)")
    let missing = try Files.text(laptop.path("missing.json"))
    #expect(missing.contains("the keyring has no entry 'other' for cloudsync"), "\(missing)")
    #expect(missing.contains("secret-tool store --label 'cloudsync other' cloudsync other"))
    try Files.write(Array("lamp orbit canoe\n".utf8), to: laptop.path("right"))
    let opened = try await laptop.run(
      "backup", "verify", laptop.path("b.age"), "--passphrase-file", laptop.path("right"))
    #expect(opened.status == 0, "\(opened.error)")
  }

  @Test func `without a session or without the program the sentence says what is missing`()
    async throws
  {
    let config = """
      version: 1
      backup:
        passphrase: { keyring: backup }

      """
    for folder in [".config", ".config/cloudsync"] { try Files.makeFolder(laptop.path(folder)) }
    try Files.write(Array(config.utf8), to: laptop.path(".config/cloudsync/config.yaml"))
    try await laptop.run("airports", "add", "QQX", "EQXX")
    let alone = try await laptop.run("backup", "create", "b.age", "--json")
    expectFailure(alone, 78, "config.invalid")
    #expect(alone.failure["message"]?.string?.contains("no keyring answers") == true)
    #expect(alone.failure["hint"]?.string?.contains("dbus-run-session") == true)
    let bare = try await laptop.run(
      ["backup", "create", "b.age", "--json"], variables: ["PATH": laptop.home])
    expectFailure(bare, 78, "config.invalid")
    #expect(bare.failure["message"]?.string?.contains("secret-tool") == true, "\(bare.error)")
    #expect(bare.failure["hint"]?.string?.contains("libsecret-tools") == true)
  }
}

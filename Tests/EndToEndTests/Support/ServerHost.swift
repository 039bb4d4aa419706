import SyncKitFormats

/// A machine that hosts a server for a test, and the people who have accounts there.
final class ServerHost: Sendable {
  let machine: TestDevice
  let process: RunningCommand
  let url: String

  init() async throws {
    machine = try TestDevice()
    process = try RunningCommand("serve", "--listen", "127.0.0.1:0", on: machine)
    url = try await process.firstLine()
  }

  /// The link with which the first device of a person joins.
  func invite(_ name: String) async throws -> String {
    let made = try await machine.json("server", "invite", name, "--url", url)
    return made["link"]?.string ?? ""
  }

  /// A device of a new account.
  func device(of name: String) async throws -> TestDevice {
    let device = try TestDevice()
    let link = try await invite(name)
    let outcome = try await device.run(
      "init", "--yes", "--unencrypted", "--device", name, "--join", link)
    guard outcome.status == 0 else { throw CommandRunner.Failure(what: outcome.error) }
    return device
  }

  /// One more device of a person's account, which joins with a code.
  func device(beside other: TestDevice, _ name: String) async throws -> TestDevice {
    let pairing = try await other.json("device", "pair")
    let device = try TestDevice()
    let outcome = try await device.run(
      "init", "--yes", "--unencrypted", "--device", name, "--join", pairing["code"]?.string ?? "",
      "--remote",
      "home=\(url)")
    guard outcome.status == 0 else { throw CommandRunner.Failure(what: outcome.error) }
    return device
  }
}

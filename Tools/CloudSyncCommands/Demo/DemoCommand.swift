import ArgumentParser
import CommandFoundation
import SyncKit

/// The command `cloudsync demo`.
struct DemoCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: "Watch two devices sync, diverge and converge again.",
    discussion: examples(
      "cloudsync demo", "cloudsync demo --keep", "cloudsync demo --json",
      after: """
        The demonstration creates two devices and a shared folder below the folder for temporary \
        files, fills them with thousands of real airport codes and removes them at the end, unless \
        you give --keep. It does not touch your own data, settings and remotes.
        Exit status: 0 both devices ended with the same data; 76 they did not, which is a bug.
        """))

  @Flag(help: "Keep the folder, so that you can look around in it.")
  var keep = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let folder = try DemoFolder(context)
    defer { if !keep { folder.remove() } }
    var story = try DemoStory(context, in: folder)
    let hasConverged = try await story.tell()
    if keep { context.note("kept in \(folder.path)") }
    guard hasConverged else {
      throw SyncError(
        .divergence, "the two devices did not end with the same data",
        hint: "run it again with --keep and report the folder: this is a bug")
    }
  }
}

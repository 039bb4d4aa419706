import ArgumentParser
import CommandFoundation

/// `cloudsync share`.
struct ShareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "share",
    abstract: "List and change what you share and what others share with you.",
    discussion: examples(
      "cloudsync share list", "cloudsync share accept 'https://sync.example.org/share#csi_…'",
      after: "To share a record, use its domain, as in 'cloudsync health share ANNA --with Ben'."),
    subcommands: [
      ShareList.self, ShareAccept.self, ShareRole.self, ShareRemove.self, ShareStop.self,
      ShareLeave.self, ShareVerify.self,
    ],
    defaultSubcommand: ShareList.self)
}

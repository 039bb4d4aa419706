import ArgumentParser
import CommandFoundation
import SyncKit
import SyncKitEncryption
import SyncKitFormats
import SyncKitHTTP
import SyncWire

/// `cloudsync share verify SHARE [PERSON]`.
struct ShareVerify: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Compare words with a person, to be sure whose keys they are.",
    discussion: examples(
      "cloudsync share verify Anna Ben", "cloudsync share verify Weekend",
      after: """
        For encrypted shares. Each person has six words of their own. Call the other person: you read \
        out the words that you see for each other. If they are the same on both sides, nobody stands \
        between you, and the server has shown you no false keys. All your devices remember the answer. \
        Whose record it is need not be named for what others share with you.
        """))

  @Argument(help: "The share: its title or id.") var share: String
  @Argument(help: "The name or id of the participant, for a share of your own.")
  var person: String?
  @OptionGroup var server: ServerOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    var (share, server) = try await session.share(share, server.remote)
    let title = Sanitized.line(share.title)
    guard share.isEncrypted, let remote = session.configuration[remote: server.name] else {
      throw SyncError(
        .usage, "'\(title)' is not encrypted, so there are no keys to compare",
        hint: "whoever runs the server can read it")
    }
    let (id, name) = try other(in: share)
    guard let card = share.cards[id] else {
      throw SyncError(
        .usage, "\(Sanitized.line(name)) has no words yet",
        hint: "the invitation has to be accepted first; see 'cloudsync share list'")
    }
    let keys = try session.keys(for: remote)
    context.note("\(Sanitized.line(name)): \(card.words)")
    context.note("you: \(keys.words)")
    guard
      try context.confirm("Does \(Sanitized.line(name)) see the same words for you both?")
    else {
      throw SyncError(
        .usage, "the words were not compared: \(Sanitized.line(name)) stays unverified",
        hint: "if they differ, remove the person from the share, and invite again by a link that "
          + "nobody else can see")
    }
    try await session.change(on: remote, for: share.domain) {
      [environment = session.environment] in $0.verify(card, from: environment)
    }
    share.verified.insert(id)
    context.print(share, on: server.name)
  }

  /// Whose words are compared.
  private func other(in share: PersonalShare) throws -> (id: String, name: String) {
    guard share.role == .owner else { return (PersonalShare.owner, share.owner.name) }
    guard let person else {
      throw SyncError(
        .usage, "say whose words you compare",
        hint: "cloudsync share verify \(share.id) PERSON; 'cloudsync share list' names them")
    }
    let participant = try share.participant(person)
    return (participant.id, participant.name)
  }
}

import CommandFoundation
import Testing

@testable import CloudSyncCommands

/// The command of a timer is read back unchanged, whatever it contains.
struct TimerWordsTests {
  static let words = [
    "/opt/my tools/cloudsync", "--profile", "50%", "$HOME", "say \"hi\"", "back\\slash", "",
    "a\tb\nc",
    "<&>",
  ]

  @Test func `for systemd`() {
    let line = Self.words.map(SystemdUnits.quoted).joined(separator: " ")
    #expect(SystemdUnits.words(line[...]) == Self.words)
  }

  @Test func `for launchd`() throws {
    let words = Self.words.filter { !$0.contains("\n") }
    let entry = TimerPlan.Entry(name: "all", every: .seconds(900))
    #expect(LaunchdFile.words(LaunchdFile(entry: entry, words: words).text) == words)
  }
}

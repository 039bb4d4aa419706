import CommandFoundation
import Testing

@testable import CloudSyncCommands

/// The text that remains for other people.
struct RedactionTests {
  @Test(arguments: [
    ("anna's folder nas is not there", "home-1's folder remote-1 is not there"),
    ("nas-2 and nasal are others", "nas-2 and nasal are others"),
    ("no folder /home/x/y here", "no folder … here"),
    ("see https://a.example.org/?k=v", "see …"),
    ("sent to a@example.org", "sent to …"),
    ("token csd_8f2k3j4h5g6f7d8s9a0q is refused", "token … is refused"),
    ("last at 2026-03-01T10:00:00.000Z", "last at 2026-03-01T10:00:00.000Z"),
    ("unknown key 'grandma'", "unknown key '…'"),
    ("said \"no thanks\" twice", "said \"…\" twice"),
    ("see 'cloudsync resume bike'", "see 'cloudsync resume bike'"),
    ("see 'cloudsync remote test nas'", "see 'cloudsync remote test remote-1'"),
    ("12 changes went", "12 changes went"),
  ])
  func `texts`(_ before: String, _ after: String) {
    var redaction = Redaction()
    redaction.name("anna", as: "home")
    redaction.name("nas", as: "remote")
    #expect(redaction.text(before) == after)
  }

  @Test func `one name is one number everywhere`() {
    var redaction = Redaction()
    let stands = ["nas", "stick", "nas"].map { redaction.name($0, as: "remote") }
    #expect(stands == ["remote-1", "remote-2", "remote-1"])
  }
}

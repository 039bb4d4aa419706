import CommandFoundation
import SyncKit
import SyncKitFormats

extension RemoteClock {
  /// How far the clock of a remote of that name is from this device's, as a sentence without full stop; nil when the
  /// two are close.
  func difference(from name: String) -> String? {
    isFar ? ClockWords.sentence(lead: -lead, of: "'\(name)'") : nil
  }

  /// What to do about it.
  static let remedy =
    "which of the two is wrong cannot be known from here: set that one (on this device, \(ClockWords.remedy))"
}

extension RemoteSurvey {
  /// A remote with less is soon full.
  private static let leastRoom: Int64 = 16 << 20

  /// What a person should know of a remote of that name, each as a sentence.
  func warnings(_ name: String) -> [String] {
    var warnings = notes
    if let difference = clock?.difference(from: name) {
      warnings.append("\(difference), and \(RemoteClock.remedy).")
    }
    if let room, room < Self.leastRoom {
      warnings.append(
        "Only \(room >> 10) KiB are free on '\(name)': make room there, or sync stops when it is full."
      )
    }
    return warnings
  }
}

extension Session {
  /// What is unusual about a remote that the store of a domain has just been attached to, each as a sentence.
  func survey(_ remote: Remote, for domain: String) async -> [String] {
    let transport = ForwardingTransport(remote.transport)
    do {
      try await transport.tryStoring(StoreSample(), of: domain)
      return try await transport.survey().warnings(remote.name)
    } catch {
      // That it is attached is what was asked for; the next edit would fail.
      let sentence = ErrorReport.described(error).sentence
      return ["'\(remote.name)' can be read but not written: \(sentence)"]
    }
  }
}

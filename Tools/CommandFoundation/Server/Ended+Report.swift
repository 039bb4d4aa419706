import SyncKitFormats
import SyncWire

extension Ended {
  /// What has ended and what stays, in documents.
  package var document: JSON {
    func parts(_ parts: [Part]) -> JSON {
      .array(
        parts.map {
          [
            "share": .string($0.share.id), "title": .string($0.share.name),
            "id": .string($0.participant.id), "name": .string($0.participant.name),
          ]
        })
    }
    return [
      "tokens": .array(
        tokens.map {
          [
            "id": .string($0.id), "name": .string($0.name), "scope": .string($0.scope.rawValue),
          ]
        }),
      "codes": .int(Int64(codes)), "invitations": parts(invitations),
      "joined": .array(joined.map(\.json)), "guests": parts(guests),
    ]
  }

  /// What ends with it, a line each.
  package var lines: [String] {
    var lines = tokens.map { "the token '\(Sanitized.line($0.name))' (\($0.scope.rawValue))" }
    if codes > 0 { lines.append(codes == 1 ? "an open code" : "\(codes) open codes") }
    lines += invitations.map {
      "the invitation of \(Sanitized.line($0.participant.name)) to '\(Sanitized.line($0.share.name))'"
    }
    return lines
  }
}

extension CommandContext {
  /// Says what ends with a device or token, and warns of devices and people that came in by it and stay.
  package func tell(_ ended: Ended, of name: String, isRehearsal: Bool) {
    let verb = isRehearsal ? "would end" : "ended"
    for line in ended.lines { note("\(verb) with it: \(line)") }
    for device in ended.joined {
      warn(
        """
        '\(Sanitized.line(device.name))' joined with a code from '\(name)' and remains; if you do not \
        recognise it: cloudsync device revoke \(device.id)
        """)
    }
    for guest in ended.guests {
      warn(
        """
        \(Sanitized.line(guest.participant.name)) takes part in '\(Sanitized.line(guest.share.name))' through \
        an invitation from '\(name)' and remains; to end that: cloudsync share remove \
        \(guest.share.id) \(guest.participant.id)
        """)
    }
  }
}

import SyncKit
import SyncWire

/// What an account is to a zone.
enum ZonePart: Sendable, Equatable, CaseIterable {
  /// None: it neither owns one of this id nor was ever let into one.
  case nobody
  /// It owns the zone.
  case owner
  /// It was let in to read and write.
  case writer
  /// It was let in to read.
  case reader
  /// It was let in once, and its part was taken away.
  case removed
  /// It was let in once, and has left.
  case left

  init(role: ZoneAccess.Role, state: ParticipantState) {
    switch (state, role) {
    case (.pending, _): self = .nobody
    case (.accepted, .writer): self = .writer
    case (.accepted, .reader): self = .reader
    case (.accepted, _), (.removed, _): self = .removed
    case (.left, _): self = .left
    }
  }

  /// Of several parts in zones of one id the greatest counts.
  var rank: Int {
    switch self {
    case .nobody: 0
    case .left: 1
    case .removed: 2
    case .reader: 3
    case .writer: 4
    case .owner: 5
    }
  }

  /// The part as the caller sees it.
  var role: ZoneAccess.Role {
    switch self {
    case .owner: .owner
    case .writer: .writer
    case .reader: .reader
    case .left: .left
    case .removed, .nobody: .removed
    }
  }
}

/// How far a participant has come, as it is stored.
enum ParticipantState: String, Sendable, CaseIterable {
  case pending, accepted, removed, left

  /// The part as others see it.
  var wire: WireParticipant.State {
    switch self {
    case .pending: .pending
    case .accepted: .accepted
    case .removed, .left: .removed
    }
  }
}

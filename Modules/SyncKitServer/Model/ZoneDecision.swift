import SyncWire

/// What an account may do to a zone, decided from the states of the two alone.
enum ZoneDecision {
  /// The account that stored a series first.
  enum Author: Sendable, CaseIterable {
    /// None yet.
    case nobody
    /// The account of the caller.
    case caller
    /// Another account.
    case other
  }

  /// What becomes of a segment.
  enum Storing: Equatable {
    /// It is to be stored.
    case store
    /// It is there.
    case known
    /// Its zone was withdrawn.
    case erased
    /// It may not be stored.
    case refused
  }

  /// What becomes of the word that a zone was removed.
  enum Erasing: Equatable {
    /// It is written down, and the zone goes if it is still there.
    case erase
    /// It is refused.
    case refused
    /// It is refused to this token; one with the scope `manage` may.
    case beyondScope
  }

  /// Whether segments of the zone are listed and handed out.
  static func mayRead(_ part: ZonePart, isErased: Bool) -> Bool {
    guard !isErased else { return false }
    switch part {
    case .owner, .writer, .reader: return true
    case .nobody, .removed, .left: return false
    }
  }

  /// Whether an account is told that the zone was withdrawn, and by whom it was removed.
  static func mayHearOfErasure(_ part: ZonePart) -> Bool {
    mayRead(part, isErased: false)
  }

  /// Whether a segment may be stored.
  ///
  /// A guest stores only series that its own account began: it could forge others otherwise. The
  /// owner stores any, as a server that was restored has to be filled again.
  static func storing(
    _ part: ZonePart, isErased: Bool, isKnown: Bool, author: Author
  ) -> Storing {
    switch part {
    case .removed, .left: return .refused
    case .reader: return isErased ? .erased : .refused
    case .nobody, .owner: return isErased ? .erased : isKnown ? .known : .store
    case .writer:
      if isErased { return .erased }
      if isKnown { return .known }
      return author == .other ? .refused : .store
    }
  }

  /// Whether an account may have segments removed that others hold as well: those of its own series.
  static func mayCompact(_ part: ZonePart, isErased: Bool, author: Author) -> Bool {
    guard !isErased, author == .caller else { return false }
    switch part {
    case .owner, .writer: return true
    case .nobody, .reader, .removed, .left: return false
    }
  }

  /// Whether an account may have segments removed that a snapshot stands for, whichever device wrote them: as
  /// long as no other account has a part in the zone.
  static func mayPrune(_ part: ZonePart, isErased: Bool, isShared: Bool) -> Bool {
    part == .owner && !isErased && !isShared
  }

  /// Whether an account may say that it has removed the zone.
  ///
  /// An account that knows no such zone begins with one of its own. What has begun may be confirmed by
  /// any writer; beginning cannot be undone, so it takes a token that manages the account.
  static func erasing(_ part: ZonePart, isErased: Bool, scope: TokenScope) -> Erasing {
    switch part {
    case .owner, .nobody: isErased || scope.includes(.manage) ? .erase : .beyondScope
    case .writer, .reader: isErased ? .erase : .refused
    case .removed, .left: .refused
    }
  }

  /// Whether the account may let others in, change their parts and end the share.
  static func mayShare(_ part: ZonePart) -> Bool { part == .owner }
}

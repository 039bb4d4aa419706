/// Who has a part in a zone that more than one person can see, as a remote says.
public struct ZoneAccess: Hashable, Sendable {
  /// What this person may do.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    /// It is the person's own zone, and others have a part in it.
    case owner
    /// It is somebody else's, to read and to write.
    case writer
    /// It is somebody else's, to read.
    case reader
    /// It was somebody else's: the part was taken away, and what is here stays as it was.
    case removed
    /// It was somebody else's, and the person has left it: nothing of it stays.
    case left

    /// Whether edits may be made in the zone.
    public var mayWrite: Bool { self == .owner || self == .writer }
    /// Whether the zone is somebody else's.
    public var isGuest: Bool { self != .owner }
  }

  /// What this person may do.
  public var role: Role
  /// The owner's name, as the owner wants to be called; empty for one's own zone.
  public var owner: String
  /// How many others have a part in it, or are invited, as far as the remote tells.
  public var participants: Int

  /// Describes a part.
  public init(role: Role, owner: String = "", participants: Int = 0) {
    self.role = role
    self.owner = owner
    self.participants = participants
  }
}

/// The participants of a shared zone, as the remote says.
public struct ZoneAccess: Hashable, Sendable {
  /// What this person may do.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    /// It is the person's own zone, and others have a part in it.
    case owner
    /// It is another person's, to read and to write.
    case writer
    /// It is another person's, to read.
    case reader
    /// It belongs to a person who has removed this guest; the copy stays as it was.
    case removed
    /// It is another person's, and this guest has left it: nothing of it stays.
    case left

    /// Whether edits may be made in the zone.
    public var mayWrite: Bool { self == .owner || self == .writer }
    /// Whether the zone is another person's.
    public var isGuest: Bool { self != .owner }
  }

  /// What this person may do.
  public var role: Role
  /// The owner's name, as the owner wants to be called; empty for one's own zone.
  public var owner: String
  /// How many others take part in it or are invited, as far as the remote says.
  public var participants: Int

  /// Describes a part.
  public init(role: Role, owner: String = "", participants: Int = 0) {
    self.role = role
    self.owner = owner
    self.participants = participants
  }
}

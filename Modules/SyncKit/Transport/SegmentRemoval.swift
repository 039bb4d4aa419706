/// How a transport removes segments of which others, or a snapshot, hold what they hold.
public enum SegmentRemoval: Sendable {
  /// It keeps everything.
  case never
  /// It removes what it is told to, in any order and at any time as far as others see it.
  case told
  /// It makes sure by itself, in one transaction, that one other segment holds all of what goes, or that
  /// a whole snapshot stands for it; what it cannot make sure of stays.
  case proved
}

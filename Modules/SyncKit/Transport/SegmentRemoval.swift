/// How a transport removes segments that other segments hold as well.
public enum SegmentRemoval: Sendable {
  /// It keeps everything.
  case never
  /// It removes what it is told to, in any order and at any time as far as others see it.
  case told
  /// It makes sure by itself, in one transaction, that one other segment holds all of what goes.
  case proved
}

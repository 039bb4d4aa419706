import SyncKitModel
import SyncKitStore

/// A transport that can put sealed segments in the place of others of the same names, as encrypting again needs.
public protocol ReplacingTransport: Transport {
  /// Stores segments in the place of those that lie there under the same names.
  ///
  /// At each moment one of the two lies there, whole, as far as the medium replaces a file at once. One that is gone
  /// meanwhile may come back: it is what a device of the vault has stored.
  ///
  /// - Parameters:
  ///   - replacements: What lies there, as it was listed, and what is to lie there.
  ///   - domain: The domain.
  /// - Throws: ``SyncError`` as for storing; some may be replaced then.
  func replace(_ replacements: [SegmentReplacement], of domain: String) async throws
}

/// A segment that takes the place of another one.
public struct SegmentReplacement: Sendable {
  /// What lies there.
  public var former: SegmentReference
  /// What is to lie there, under the same name.
  public var segment: OutboundSegment

  /// Names both.
  public init(_ former: SegmentReference, with segment: OutboundSegment) {
    (self.former, self.segment) = (former, segment)
  }
}

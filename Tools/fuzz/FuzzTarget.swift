import SyncKit

/// A reader of foreign bytes, to be fed with anything.
///
/// A body may throw any error. It must not trap, hang, or take memory without bound; it reports its own
/// findings, such as a value that does not survive a round trip, with ``fail(_:)``.
struct FuzzTarget: Sendable {
  let name: String
  /// Good inputs, made by the project's own writers.
  let samples: @Sendable () throws -> [[UInt8]]
  /// Reads one input.
  let body: @Sendable ([UInt8]) throws -> Void

  init(
    _ name: String, samples: @escaping @Sendable () throws -> [[UInt8]] = { [] },
    body: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    self.name = name
    self.samples = samples
    self.body = body
  }

  init(
    _ name: String, texts: [String], body: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    self.init(name, samples: { texts.map { Array($0.utf8) } }, body: body)
  }

  /// Feeds one input; an error is a good answer.
  func feed(_ bytes: [UInt8]) { try? body(bytes) }

  /// Every target.
  static let all: [FuzzTarget] =
    [segment, change, storeRow, blobs, identifiers, markers] + encryption + formats + wire + imports
    + configurations

  /// Ends the process as a trap would.
  static func fail(_ message: String) -> Never { fatalError(message) }
}

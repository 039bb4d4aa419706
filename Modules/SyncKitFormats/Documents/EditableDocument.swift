/// A document whose keys can be changed one by one, with all other bytes left as they are.
public protocol EditableDocument: Sendable {
  /// The bytes as they are now.
  var bytes: [UInt8] { get }

  /// The keys at the top and their values, in order.
  var members: [DocumentValue.Member] { get }

  /// Sets keys; nil removes one.
  ///
  /// A key whose value cannot be written without changing something else is left as it is.
  ///
  /// - Returns: The keys that were left, with the reason as a clause.
  mutating func set(
    _ changes: [(key: String, value: DocumentValue?)]
  ) -> [(key: String, reason: String)]
}

/// How a format of text is read and edited.
///
/// A child is edited within its list or map, because its place decides how it is written.
public protocol DocumentSyntax: Sendable {
  /// Reads a document; the root is a map.
  static func read(_ bytes: [UInt8]) throws -> DocumentNode

  /// The edits that give a child another value.
  static func replace(
    _ index: Int, of parent: DocumentNode, with value: DocumentValue, in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit]

  /// The edits that take a child away.
  static func remove(
    _ index: Int, of parent: DocumentNode, in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit]

  /// The edits that put children before the one at an index, or last.
  static func insert(
    _ members: [DocumentValue.Member], at index: Int, of parent: DocumentNode, in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit]
}

import SyncKitText

/// The values of a form or a query, in their order.
package struct FormValues: Sendable {
  package private(set) var pairs: [(name: String, value: String)] = []

  /// Reads `application/x-www-form-urlencoded`.
  package init(_ text: some StringProtocol) {
    for part in text.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { PercentEncoding.decode(String($0).replacing("+", with: " ")) }
      pairs.append((pair[0], pair.count > 1 ? pair[1] : ""))
    }
  }

  /// The first value of a name; nil when there is none or it is empty.
  package subscript(name: String) -> String? {
    pairs.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
  }

  /// A query with the values, and others in their place.
  package static func query(_ values: [(String, String?)]) -> String {
    let parts = values.compactMap { name, value in
      value.map { "\(PercentEncoding.encode(name))=\(PercentEncoding.encode($0))" }
    }
    return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
  }
}

import SyncKitFormats
import SyncWire

extension WireToken {
  /// The token as a document says it, without its secret.
  package var document: JSONObject {
    func time(_ milliseconds: Int64?) -> JSON {
      milliseconds.map { .string(Timestamp.format(milliseconds: $0)) } ?? .null
    }
    return [
      "id": .string(id), "name": .string(name), "scope": .string(scope.rawValue),
      "created": time(created), "expires": time(expires), "lastUsed": time(lastUsed),
      "device": device.map { .string($0) } ?? .null, "by": by?.json ?? .null,
      "maker": maker.map { .string($0) } ?? .null,
    ]
  }

  /// The token as a document says it that has those of several accounts.
  package func document(of account: WireName) -> JSONObject {
    var document = document
    document["account"] = account.json
    return document
  }

  /// Whether it has not ended.
  package func isGood(at now: Int64) -> Bool { expires.map { $0 > now } ?? true }

  /// When it ends, for a column.
  package func end(at now: Int64) -> ReportTable.Cell {
    guard let expires else { return ReportTable.Cell("never") }
    guard expires <= now else { return ReportTable.Cell(time: expires) }
    return ReportTable.Cell("ended", raw: Timestamp.format(milliseconds: expires), style: .warning)
  }

  /// Its maker, for a column.
  package var origin: String {
    if device != nil { return "this device's own" }
    guard let by else { return "the host" }
    return by.name.isEmpty ? by.id : by.name
  }
}

/// One connection to the database of a server, used by one thread at a time.
///
/// Statements are written once, for all engines: values stand as `?`, or as `?1`, `?2` where one stands twice.
protocol ServerConnection: AnyObject {
  /// Whether a transaction is open; false as soon as the engine has taken it back by itself.
  var isInTransaction: Bool { get }

  /// Begins a transaction, over a new connection when the one before is lost; `trace` is that of the request that it
  /// is for, as 32 hexadecimal digits.
  func begin(_ purpose: TransactionPurpose, for trace: String?) throws
  /// Makes everything durable, and tells other servers what has changed.
  ///
  /// - Throws: ``SyncError`` that is not safe when it is unknown whether the transaction has been committed.
  func commit(telling news: StorageNews) throws
  /// Takes the transaction back.
  func rollback()
  /// Marks a point of the transaction to which it can be taken back.
  func mark() throws
  /// Keeps everything since the mark.
  func keep() throws
  /// Takes back everything since the mark.
  func takeBack() throws
  /// Whether a transaction that ended so has left nothing behind and may succeed over again.
  func mayRepeat(after error: any Error) -> Bool

  /// Runs a statement and hands out its rows until `next` wants no more.
  ///
  /// `large` is a last value, which may be many bytes and is not copied; nil for none.
  func rows(
    _ sql: String, _ values: [SQLValue], large: [UInt8]?, _ next: (SQLRow) throws -> Bool) throws
  /// Gives back some of the room that was freed; returns whether there is more.
  func giveBack() throws -> Bool
  func close()
}

extension ServerConnection {
  /// Begins a transaction that is for no request.
  func begin(_ purpose: TransactionPurpose) throws { try begin(purpose, for: nil) }
}

/// What a transaction is for.
enum TransactionPurpose {
  /// One state, whatever is written meanwhile.
  case reading
  /// Changes that no other transaction sees in part or comes in between.
  case writing
}

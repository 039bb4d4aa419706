import SyncKitHTTP
public import SyncKit

extension SyncError.Code {
  /// A library of the system is not installed.
  public static let libraryMissing = Self("library.missing", exit: 69)
}

extension CarriedAnswer {
  /// Sends a request and waits for the head of its answer.
  ///
  /// - Throws: ``CurlFault``, ``CarrierFailure`` for a request that cannot be sent, ``SyncError`` `library.missing`
  ///   where this system has no libcurl, or `CancellationError`; reading the body throws ``CarrierFailure`` too.
  package init(to request: CurlRequest) async throws {
    if let refusal = request.refusal { throw refusal }
    guard let thread = CurlThread.shared else {
      throw SyncError(
        .libraryMissing,
        "The library libcurl is not installed; everything over the network needs it.",
        hint: "Install it, on Debian with 'apt install libcurl4'.")
    }
    let transfer = CurlTransfer(request)
    let head = try await transfer.answer(on: thread)
    self.init(
      status: head.status, headers: head.headers, parts: CurlBody(transfer, on: thread))
  }
}

/// The body of an answer as it comes; a reader that stops ends the transfer.
private final class CurlBody: AsyncSequence, Sendable {
  private let transfer: CurlTransfer
  private let thread: CurlThread

  init(_ transfer: CurlTransfer, on thread: CurlThread) {
    self.transfer = transfer
    self.thread = thread
  }

  deinit { thread.cancel(transfer) }

  struct AsyncIterator: AsyncIteratorProtocol {
    let body: CurlBody

    func next() async throws -> [UInt8]? {
      do {
        return try await body.transfer.next(on: body.thread)
      } catch let fault as CurlFault {
        throw fault.failure
      }
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: self) }
}

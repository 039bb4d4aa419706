import CSyncKitCurl
import Synchronization

/// One request on its way and its answer.
///
/// What comes is kept until it is read. Once a quarter of a megabyte waits the connection is not read any
/// further, so a slow reader slows the other side down.
final class CurlTransfer: @unchecked Sendable {
  /// The head of an answer.
  struct Head: Sendable {
    var status: Int
    var headers: [(name: String, value: String)] = []
  }

  /// How a transfer has ended.
  enum End {
    /// With a result of libcurl's.
    case ended(CURLcode)
    /// Nothing came for too long.
    case silent
    /// The caller does not want it any more.
    case cancelled
  }

  private struct State {
    var head: CheckedContinuation<Head, any Error>?
    var reader: CheckedContinuation<[UInt8]?, any Error>?
    var parts: [[UInt8]] = []
    var waiting = 0
    var isPaused = false
    /// Nil while it goes on; without an error when all has come.
    var end: Result<Void, any Error>?
  }

  /// Its handle; nil when there is none, or the transfer has ended.
  private(set) var easy: UnsafeMutableRawPointer?
  /// How long the other side may say nothing.
  let silence: Duration
  private let request: CurlRequest
  private let fields: UnsafeMutablePointer<curl_slist>?
  /// Where libcurl writes down what went wrong.
  private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private let state = Mutex(State())

  // The rest is the thread's alone.
  private var isClosed = false
  private var head: Head?
  private var headSize = 0
  private var isHeadTold = false
  /// The first refusal of a server that wants Digest authentication; libcurl answers it, if it can.
  private var challenge: Head?
  private var isPacked = false
  private var unpacked: Int64 = 0
  private var excess: CurlFault?
  private var sent = 0
  private var moved: Int64 = 0
  private var lastMoved = ContinuousClock.now

  private static let most = 256 << 10
  /// The longest head, in bytes.
  private static let mostOfHead = 128 << 10
  /// How many times its size an answer may grow when it is unpacked.
  private static let ratio: Int64 = 100

  /// Prepares a request; nothing is sent.
  init(_ request: CurlRequest) {
    self.request = request
    silence = request.silence
    words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    easy = ccurl_easy_init()
    fields = easy.flatMap { request.configure($0) }
    guard let easy else { return }
    let context = Unmanaged.passUnretained(self).toOpaque()
    ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, words)
    ccurl_set_receiver(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      CurlTransfer.of(context)?.takeLine(bytes, size * count) ?? 0
    }
    ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context)
    ccurl_set_receiver(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      CurlTransfer.of(context)?.takePart(bytes, size * count) ?? 0
    }
    ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context)
    ccurl_set_receiver(easy, CURLOPT_READFUNCTION) { bytes, size, count, context in
      CurlTransfer.of(context)?.givePart(bytes, size * count) ?? 0
    }
    ccurl_set_pointer(easy, CURLOPT_READDATA, context)
    ccurl_set_seeker(easy) { context, offset, _ in
      CurlTransfer.of(context)?.beginBodyAgain(at: Int(offset)) ?? CURL_SEEKFUNC_FAIL
    }
    ccurl_set_pointer(easy, CURLOPT_SEEKDATA, context)
  }

  deinit {
    if let easy { ccurl_easy_cleanup(easy) }
    if let fields { ccurl_list_free(fields) }
    words.deallocate()
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: For waiting callers

  /// Sends the request and waits for the head of the answer.
  ///
  /// - Throws: ``CurlFault``, or `CancellationError`.
  func answer(on thread: CurlThread) async throws -> Head {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // It may have been cancelled before it began.
        let end = state.withLock { state in
          if state.end == nil { state.head = continuation }
          return state.end
        }
        if let end {
          continuation.resume(with: end.flatMap { .failure(CurlFault.noAnswer) })
        } else {
          thread.start(self)
        }
      }
    } onCancel: {
      thread.cancel(self)
    }
  }

  /// The next part of the body; nil at its end.
  ///
  /// - Throws: ``CurlFault``, or `CancellationError`.
  func next(on thread: CurlThread) async throws -> [UInt8]? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (now, isDry) = state.withLock { state -> (Result<[UInt8]?, any Error>?, Bool) in
          guard state.parts.isEmpty else {
            let parts = state.parts.count == 1 ? state.parts[0] : Array(state.parts.joined())
            (state.parts, state.waiting) = ([], 0)
            defer { state.isPaused = false }
            return (.success(parts), state.isPaused)
          }
          if let end = state.end { return (end.map { nil }, false) }
          state.reader = continuation
          return (nil, false)
        }
        if isDry { thread.resume(self) }
        if let now { continuation.resume(with: now) }
      }
    } onCancel: {
      thread.cancel(self)
    }
  }

  // MARK: On the thread

  private func takeLine(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    lastMoved = .now
    headSize += count
    guard headSize <= Self.mostOfHead else {
      excess = .overlongHead
      return 0
    }
    if isHeadTold { return count }
    let line = Self.text(bytes, count)
    if line.hasPrefix("HTTP/") {
      head = Head(status: 0)
    } else if line.isEmpty {
      tellHead()
    } else if let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) {
      let value = line[line.utf8.index(after: colon)...]
      head?.headers.append((String(line[..<colon]), Self.trimmed(value)))
    }
    return count
  }

  private func tellHead() {
    guard let easy, var head else { return }
    head.status = ccurl_get_long(easy, CURLINFO_RESPONSE_CODE)
    guard head.status >= 200 else { return }
    if request.digest != nil, head.status == 401, challenge == nil {
      challenge = head
      return
    }
    isHeadTold = true
    isPacked = head.headers.contains { $0.name.lowercased() == "content-encoding" }
    if isPacked {
      // They are about what came, and not about what is handed on.
      head.headers.removeAll {
        ["content-encoding", "content-length"].contains($0.name.lowercased())
      }
    }
    let waiting = state.withLock { state in
      defer { state.head = nil }
      return state.head
    }
    waiting?.resume(returning: head)
  }

  private func takePart(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    guard count > 0, let bytes, let easy else { return count }
    lastMoved = .now
    let isFull = state.withLock { state in
      state.isPaused = state.waiting >= Self.most
      return state.isPaused
    }
    if isFull { return Int(CURL_WRITEFUNC_PAUSE) }
    unpacked += Int64(count)
    if isPacked, unpacked > Self.ratio * ccurl_get_size(easy, CURLINFO_SIZE_DOWNLOAD_T) {
      excess = .overlong
      return 0
    }
    let part = Array(UnsafeRawBufferPointer(start: bytes, count: count))
    let reader = state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
      if let reader = state.reader {
        state.reader = nil
        return reader
      }
      state.parts.append(part)
      state.waiting += count
      return nil
    }
    reader?.resume(returning: part)
    return count
  }

  /// Hands the next part of the body of the request on.
  private func givePart(_ bytes: UnsafeMutablePointer<CChar>?, _ most: Int) -> Int {
    let count = min(most, request.body.count - sent)
    guard count > 0, let bytes else { return 0 }
    UnsafeMutableRawBufferPointer(start: bytes, count: count).copyBytes(
      from: request.body[sent..<sent + count])
    sent += count
    return count
  }

  /// Sends the body from its start, if the request may be sent again.
  private func beginBodyAgain(at offset: Int) -> Int32 {
    guard request.isRepeatable || sent == 0, 0...request.body.count ~= offset else {
      return CURL_SEEKFUNC_FAIL
    }
    sent = offset
    return CURL_SEEKFUNC_OK
  }

  /// Whether nothing has moved for too long; while the answer is not read, nothing has to.
  func isSilent() -> Bool {
    guard let easy else { return false }
    let moved =
      ccurl_get_size(easy, CURLINFO_SIZE_UPLOAD_T) + ccurl_get_size(easy, CURLINFO_SIZE_DOWNLOAD_T)
    // How long a connection may take is a limit of its own.
    let isAsked = ccurl_get_long(easy, CURLINFO_REQUEST_SIZE) > 0
    if !isAsked || moved != self.moved || state.withLock({ $0.isPaused }) {
      self.moved = moved
      lastMoved = .now
    }
    return .now - lastMoved > silence
  }

  /// Ends the transfer, once; `release` takes its handle from the others.
  func close(_ end: End, release: () -> Void) {
    guard !isClosed else { return }
    isClosed = true
    let result: Result<Void, any Error> =
      switch end {
      case .ended(CURLE_OK): .success(())
      case .ended(let code): .failure(excess ?? fault(code))
      case .silent: .failure(fault(CURLE_OPERATION_TIMEDOUT))
      case .cancelled: .failure(CancellationError())
      }
    if case .success = result, request.onlyConnects, let easy {
      head = Head(status: 0, headers: Self.certificates(of: easy).map { ("certificate", $0) })
    }
    release()
    if let easy { ccurl_easy_cleanup(easy) }
    easy = nil
    let (head, reader) = state.withLock { state in
      defer { (state.head, state.reader) = (nil, nil) }
      state.end = result
      return (state.head, state.reader)
    }
    if let head {
      switch result {
      case .success:
        if request.onlyConnects, let shown = self.head {
          head.resume(returning: shown)
        } else if let challenge {
          // One that cannot be answered is the answer.
          head.resume(returning: challenge)
        } else {
          head.resume(throwing: CurlFault.noAnswer)
        }
      case .failure(let error): head.resume(throwing: error)
      }
    }
    reader?.resume(with: result.map { nil })
  }

  private func fault(_ code: CURLcode) -> CurlFault {
    guard let easy else { return .noHandle }
    return CurlFault(code, of: easy, request, words: String(cString: words))
  }

  /// The certificates that were shown, in PEM.
  private static func certificates(of easy: UnsafeMutableRawPointer) -> [String] {
    guard let info = ccurl_get_certificates(easy)?.pointee else { return [] }
    var found: [String] = []
    for index in 0..<Int(info.num_of_certs) {
      var line = info.certinfo[index]
      while let item = line?.pointee {
        let text = item.data.map { String(cString: $0) } ?? ""
        if text.hasPrefix("Cert:") { found.append(String(text.dropFirst(5))) }
        line = item.next
      }
    }
    return found
  }

  private static func text(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> String {
    guard let bytes else { return "" }
    var line = UnsafeRawBufferPointer(start: bytes, count: count)[...]
    while let last = line.last, last == 10 || last == 13 { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return String(text)
  }
}

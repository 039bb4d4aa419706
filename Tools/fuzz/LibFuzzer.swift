#if FUZZING
import Synchronization

/// The compiler's own engine: it sees which inputs reach new code and continues from them.
enum LibFuzzer {
  private static let target = Mutex<FuzzTarget?>(nil)

  /// Runs it with the target; returns the exit status.
  static func run(_ chosen: FuzzTarget, _ options: [String]) -> Int32 {
    target.withLock { $0 = chosen }
    let words = ["cloudsync-fuzz"] + options
    var count = Int32(words.count)
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = .allocate(
      capacity: words.count + 1)
    for (index, word) in words.enumerated() {
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: word.utf8.count + 1)
      for (offset, byte) in word.utf8CString.enumerated() { copy[offset] = byte }
      arguments?[index] = copy
    }
    arguments?[words.count] = nil
    return runDriver(&count, &arguments, feed)
  }

  private static let feed: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32 = { start, count in
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    LibFuzzer.target.withLock { $0 }?.feed(bytes)
    return 0
  }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32
#endif

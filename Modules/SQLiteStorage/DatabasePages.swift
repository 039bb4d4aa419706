import SQLiteFile
import SyncKit

/// The pages of a database file, read one by one: whatever else is wrong with the file, a page that is there is
/// there.
///
/// What the log holds of whole transactions counts before what the file holds.
///
/// Source: [SQLite, Database File Format](https://www.sqlite.org/fileformat2.html).
struct DatabasePages {
  /// The bytes of a page; those of the last one may be fewer.
  let size: Int
  /// The bytes of a page that SQLite uses.
  let usable: Int
  /// How many pages the file says that it has.
  let expected: Int
  /// The numbers of the pages that are on the list of free ones; what they hold is out of date.
  private(set) var free: Set<Int> = []
  private let file: [UInt8]
  private let logged: [Int: ArraySlice<UInt8>]

  /// How many pages there are.
  var count: Int { max((file.count + size - 1) / size, logged.keys.max() ?? 0) }

  /// Looks at the bytes of a file and of its log.
  init(file: [UInt8], log: [UInt8]) {
    self.file = file
    let hasHeader = file.starts(with: "SQLite format 3\u{0}".utf8) && file.count >= 100
    let told = hasHeader ? Int(file.number(16, 2)) : 0
    size = told == 1 ? 65_536 : told >= 512 && told & (told - 1) == 0 ? told : StoreFile.pageSize
    usable = size - (hasHeader ? min(Int(file[20]), size / 2) : 0)
    logged = Self.frames(of: log, size)
    expected = hasHeader ? Int(file.number(28, 4)) : 0
    free = freePages()
  }

  /// A page by its number, from 1; nil when it is not there whole.
  subscript(number: Int) -> ArraySlice<UInt8>? {
    if let page = logged[number] { return page }
    let start = (number - 1) * size
    guard number > 0, start + size <= file.count else { return nil }
    return file[start..<start + size]
  }

  private func freePages() -> Set<Int> {
    guard let head = self[1] else { return [] }
    var free: Set<Int> = []
    var next = Int(head.number(32, 4))
    while next > 0, free.insert(next).inserted, let trunk = self[next] {
      let leaves = min(Int(trunk.number(4, 4)), usable / 4 - 2)
      for index in 0..<max(leaves, 0) { free.insert(Int(trunk.number(8 + 4 * index, 4))) }
      next = Int(trunk.number(0, 4))
    }
    return free
  }

  /// The last state of each page in the whole transactions of a log.
  private static func frames(of log: [UInt8], _ size: Int) -> [Int: ArraySlice<UInt8>] {
    guard log.count > 32, log.number(0, 4) & ~1 == 0x377f_0682, Int(log.number(8, 4)) == size else {
      return [:]
    }
    let isBig = log.number(0, 4) & 1 == 1
    var sum = Sum(isBig: isBig)
    sum.add(log[0..<24])
    guard sum.matches(log, at: 24) else { return [:] }
    let salts = log[16..<24]
    var committed: [Int: ArraySlice<UInt8>] = [:]
    var open: [Int: ArraySlice<UInt8>] = [:]
    var start = 32
    while start + 24 + size <= log.count {
      let page = log[start + 24..<start + 24 + size]
      sum.add(log[start..<start + 8])
      sum.add(page)
      guard log[start + 8..<start + 16].elementsEqual(salts), sum.matches(log, at: start + 16)
      else {
        break
      }
      open[Int(log.number(start, 4))] = page
      if log.number(start + 4, 4) > 0 {
        committed.merge(open) { $1 }
        open = [:]
      }
      start += 24 + size
    }
    return committed
  }

  /// The running checksum of a log.
  private struct Sum {
    let isBig: Bool
    var first: UInt32 = 0
    var second: UInt32 = 0

    init(isBig: Bool) { self.isBig = isBig }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
      for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
        first &+= word(bytes, offset) &+ second
        second &+= word(bytes, offset + 4) &+ first
      }
    }

    private func word(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> UInt32 {
      let word = UInt32(truncatingIfNeeded: bytes.number(offset, 4))
      return isBig ? word : word.byteSwapped
    }

    func matches(_ log: [UInt8], at offset: Int) -> Bool {
      UInt64(first) == log.number(offset, 4) && UInt64(second) == log.number(offset + 4, 4)
    }
  }
}

extension Collection where Element == UInt8, Index == Int {
  /// The number in some bytes, the most significant first, counted from the start of what this is.
  func number(_ offset: Int, _ count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 << 8 | UInt64(self[startIndex + offset + $1]) }
  }
}

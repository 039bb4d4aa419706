// GRDB beside cloudsync for W7 of cloudsync-bench: the same records, an index, typed inserts and pages. It keeps no
// changes, no history and syncs nothing.
//
//   grdb-peer queries DIR N

import Dispatch
import GRDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#endif

struct Card: Codable, FetchableRecord, PersistableRecord {
  var id: String
  var title: String
  var isDone: Bool
  var due: Int
  var note: String?

  /// The cards of W7.
  static func made(_ number: Int) -> Card {
    let mixed = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    let text = String(mixed, radix: 16)
    return Card(
      id: "card-\(text)", title: "Card number \(number)", isDone: number % 10 != 0,
      due: Int(mixed >> 44), note: number % 3 == 0 ? "A note of some length, \(text)" : nil)
  }
}

func report(_ measure: String, _ value: Double, _ unit: String) {
  print("GRDB\t\(measure)\t\(value)\t\(unit)")
}

func seconds() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

let arguments = CommandLine.arguments
guard arguments.count == 4, arguments[1] == "queries", let count = Int(arguments[3]) else {
  print("usage: grdb-peer queries DIR N")
  exit(64)
}
try FileManager.default.createDirectory(
  atPath: arguments[2], withIntermediateDirectories: true)
var configuration = Configuration()
configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous=FULL") }
let database = try DatabasePool(
  path: arguments[2] + "/grdb.sqlite", configuration: configuration)
try database.write { database in
  try database.create(table: "card") { table in
    table.primaryKey("id", .text)
    table.column("title", .text).notNull()
    table.column("isDone", .boolean).notNull()
    table.column("due", .integer).notNull()
    table.column("note", .text)
  }
  try database.create(index: "open", on: "card", columns: ["isDone", "due"])
}

let cards = (0..<count).map(Card.made)
var start = seconds()
try database.write { database in for card in cards { try card.insert(database) } }
report("typed inserts", Double(count) / (seconds() - start), "records/s")

let page = Card.filter(Column("isDone") == false).order(Column("due"), Column("id")).limit(50)
let times = try (0..<200).map { _ in
  let start = seconds()
  _ = try database.read { try page.fetchAll($0).count }
  return seconds() - start
}
report("page of 50 by an index", times.sorted()[100] * 1e3, "ms")

start = seconds()
let scan = Card.filter(Column("isDone") == false).order(Column("title")).limit(50)
_ = try database.read { try scan.fetchAll($0).count }
report("page of 50 without", (seconds() - start) * 1e3, "ms")
start = seconds()
_ = try database.read { try Card.filter(Column("isDone") == false).fetchCount($0) }
report("count of a tenth", (seconds() - start) * 1e3, "ms")

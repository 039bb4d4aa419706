import SyncKitApp
import SyncKitMacros

@Synced("list") public struct List {
  public var id = RecordID.random
  public var name = ""
}

@Synced("item", in: List.self, deleteRule: .deleteWins, isMovable: true)
@SyncedOrder("isDone", "title") @SyncedOrder(withinParent: "title")
struct Item {
  var id = 0
  var title = "" { didSet { length = title.count } }
  var `case`: Int?
  @SyncedProperty("remark", policy: KeepBothPolicy()) var note: String?
  @SyncedProperty(policy: ManualPolicy(), group: "state") var isDone = false
  @SyncedProperty(group: "state") var done: Optional<Double> = nil
  @SyncedProperty(weight: .touch, isLocal: true) var opened = 0
  @SyncedProperty("stars", replacing: FormerField("rating", read: { (old: Int) in Double(old) }))
  var stars = 0.0
  @NotSynced var length = 0
  @NotSynced let made = 1
  static let largest = 7
  var isLong: Bool { length > 10 }
  var upper: String {
    get { title }
    set { title = newValue }
  }
}

/// The schema is that of a person.
let schema: RecordSchema<Item> = Item.schema
let lists: [List] = [List()]

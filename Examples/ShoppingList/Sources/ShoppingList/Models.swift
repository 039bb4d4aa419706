import SyncKitApp

/// A list that can be shared: a root, so that it and its items travel as one.
struct ShoppingList: SyncedRecord {
  var id = RecordID.random
  var name = ""

  static let schema = RecordSchema<ShoppingList>("list", placement: .root) {
    SyncedField("name", \.name)
  }
}

/// Something to buy, which belongs to a list.
struct Item: SyncedRecord {
  var id = RecordID.random
  var name = ""
  /// How many: of two amounts that are written at the same time the larger one counts.
  var amount = 1
  /// Who wants it; all who ask for it at the same time are kept.
  var wishes: Set<String> = []
  var isBought = false
  var buyer: String?

  static let schema = RecordSchema<Item>("item", in: ShoppingList.self) {
    SyncedField("name", \.name)
    SyncedField("amount", \.amount, policy: ExtremePolicy.max)
    SyncedField("wishes", \.wishes)
    // Who bought it goes with the fact that it was bought.
    SyncedGroup("purchase") {
      SyncedField("isBought", \.isBought)
      SyncedField("buyer", \.buyer)
    }
  }
}

extension SyncDomain where Self == RecordDomain {
  /// All that this app keeps.
  static var shopping: RecordDomain { RecordDomain("shopping", ShoppingList.self, Item.self) }
}

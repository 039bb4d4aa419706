import SyncKitApp
import SyncKitMacros

@Synced("names") @SyncedOrder("title", "titel")  // error: This names no field of 'Names'.
struct Names {
  var id = RecordID.random
  var title = ""
}

@Synced("doubles") struct Doubles {
  @SyncedProperty("x") var id = RecordID.random  // error: The id names the record and is no field.
  var a = 1
  @SyncedProperty("a") var b = 2  // error: There is a field "a" already.
}

@Synced("groups") struct Groups {
  var id = RecordID.random
  var state = 1
  @SyncedProperty(group: "state") var a = 1  // error: There is a field or group "state" already.
}

import SyncKitApp
import SyncKitMacros

@Synced("missing") struct Missing {
  var id = RecordID.random
  var number: Int  // error: 'number' needs a value
  var spelled: Optional<Int>  // error: 'spelled' needs a value
  let fixed = 1  // error: 'fixed' is read from the store
}

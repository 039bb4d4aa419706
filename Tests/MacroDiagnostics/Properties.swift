import SyncKitApp
import SyncKitMacros

@Synced("missing") struct Missing {
  var id = RecordID.random
  var number: Int  // error: 'number' needs a value that counts where nothing is stored, or is to be optional.
  var spelled: Optional<Int>  // error: 'spelled' needs a value that counts where nothing is stored, or is to be optional.
  let fixed = 1  // error: 'fixed' is read from the store, so it is a 'var'; @NotSynced leaves it in memory.
}

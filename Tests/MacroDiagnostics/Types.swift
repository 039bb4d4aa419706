import SyncKitApp
import SyncKitMacros

@Synced("class")  // error: @Synced describes a struct: its copies are independent of each other.
final class Class { var id = "" }

@Synced("generic") struct Generic<Element> {  // error: A synced type is one collection, so it has no generic parameters.
  var id = ""
}

@Synced("nameless") struct Nameless {  // error: A synced type has an 'id', such as 'var id = RecordID.random'.
  var title = ""
}

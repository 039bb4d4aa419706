import SyncKitApp
import SyncKitMacros

@Synced("class")  // error: @Synced describes a struct
final class Class { var id = "" }

@Synced("generic") struct Generic<Element> {  // error: A synced type is one collection
  var id = ""
}

@Synced("nameless") struct Nameless {  // error: A synced type has an 'id'
  var title = ""
}

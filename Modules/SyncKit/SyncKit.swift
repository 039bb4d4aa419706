// What an app imports: the three floors of the core, of which each sees the ones below it.

@_exported import SyncKitEngine
@_exported import SyncKitModel
@_exported import SyncKitStore

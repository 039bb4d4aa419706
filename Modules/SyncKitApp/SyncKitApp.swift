// What an app imports: the core, and the parts that nearly every app chooses the same way: SQLite on the device, a
// folder that is shared, the system's clock.

@_exported import SyncKit
@_exported import SyncKitRecords

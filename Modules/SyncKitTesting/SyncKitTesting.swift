import SyncKit

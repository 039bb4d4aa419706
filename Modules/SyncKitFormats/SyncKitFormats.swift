// Formats of files, and with them the values and texts that they are made of.

@_exported public import SyncKitText

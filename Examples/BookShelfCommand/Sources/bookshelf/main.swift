import BookShelfPlugIns
import CloudSyncCommands
import Foundation

let bookshelf = CommandProgram(
  "bookshelf", version: "1.0", domains: [BooksRegistration.self],
  transports: [HashedRegistration.self] + CommandProgram.cloudsync.transports)

exit(await bookshelf.run())

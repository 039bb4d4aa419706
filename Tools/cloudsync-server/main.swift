import CloudSyncServerCommands
import CommandFoundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

exit(await CloudSyncServerCommands.run(arguments: ProcessArguments.current))

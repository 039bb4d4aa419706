import CloudSyncCommands
import CommandFoundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

exit(await CloudSyncCommands.run(arguments: ProcessArguments.current))

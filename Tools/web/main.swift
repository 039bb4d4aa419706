import CloudSyncWebCommands
import CommandFoundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

exit(await CloudSyncWebCommands.run(arguments: ProcessArguments.current))

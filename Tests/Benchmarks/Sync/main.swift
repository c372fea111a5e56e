import Foundation

exit(SyncBench(Array(CommandLine.arguments.dropFirst())).run())

import Foundation
import SyncPlugin

exit(await SyncBench(Array(CommandLine.arguments.dropFirst())).run())

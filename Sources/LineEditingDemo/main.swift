import Foundation
import LineEditing

// A minimal host: it prints what it reads. The tests drive it through a pseudo-terminal.
//
//   lineediting-demo [--history FILE] [--limit N]

exit(await Demo(arguments: CommandLine.arguments).run())

import Foundation
import LineEditing

// A host as small as can be: it says what it was given. The tests drive it through a pseudo-terminal.
//
//   lineediting-demo [--history FILE] [--limit N]

exit(await Demo(arguments: CommandLine.arguments).run())

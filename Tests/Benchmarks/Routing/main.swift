import Foundation
import Geodesy
import PluginKit
import RoutingPlugin

let arguments = Array(CommandLine.arguments.dropFirst())
Child.measureIfAsked(arguments)
do {
    try ImportCost.importIfAsked(arguments)
    try await RoutingBenchmark(arguments: arguments).run()
} catch let error as RutterError {
    print("\(error.code): \(error.message)")
    exit(1)
}

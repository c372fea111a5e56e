import Foundation
import Geodesy
import PluginKit
import RoutingPlugin

let arguments = Array(CommandLine.arguments.dropFirst())
Child.measureIfAsked(arguments)
do {
    try ImportCost.importIfAsked(arguments)
    guard RoutingBenchmark.understands(arguments) else {
        print(RoutingBenchmark.usage)
        exit(2)
    }
    try await RoutingBenchmark(arguments: arguments).run()
} catch let error as RutterError {
    print("\(error.code): \(error.message)")
    exit(1)
}

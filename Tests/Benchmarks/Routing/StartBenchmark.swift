import Foundation
import PluginKit
import RoutingPlugin

/// One route from the shell, compared with an empty start of the program.
struct StartBenchmark {
    let workspace: URL
    let region: RoutingRegion

    private static let rounds = 15
    private static let routes = 5

    func run() throws {
        let planner = try RoutePlanner(region, profile: .hiking)
        let sample = try RandomPairs(planner, count: Self.routes)
        let commands = sample.places.map { places in
            "route plan " + places.map { "\($0.latitude),\($0.longitude)" }.joined(separator: " ")
        }
        // The first run of a program computes costs that later ones reuse.
        guard run("1") != nil, let first = run(commands[0]) else {
            print("one-shot route: skipped, there is no rutter of the same build beside this program")
            return
        }
        // Alternating, so that other work on the machine affects both equally.
        var (empty, routes): ([Child], [Child]) = ([], [])
        for round in 0..<Self.rounds {
            empty += [run("1")].compactMap { $0 }
            routes += [run(commands[round % commands.count])].compactMap { $0 }
        }
        func least(_ runs: [Child], _ measure: (Child) -> Double) -> Double {
            runs.map(measure).min() ?? .nan
        }
        let (start, route) = (least(empty, \.seconds), least(routes, \.seconds))
        let (work, routeWork) = (least(empty, \.processor), least(routes, \.processor))
        let memory = (empty.map(\.peak).min() ?? 0, routes.map(\.peak).min() ?? 0)
        print(
            "one-shot route on \(region.graph.edgeCount) edges: \(ms(route)), empty start \(ms(start)), ratio "
                + ratio(route, start) + goal("≤ \(Goals.start)×", route <= Goals.start * start))
        print(
            "  processor time \(ms(routeWork)) and \(ms(work)), ratio \(ratio(routeWork, work)); peak memory "
                + "\(mib(memory.1)) and \(mib(memory.0)); the first route of this build, which computes the costs, "
                + ms(first.seconds))
    }

    private func run(_ command: String) -> Child? {
        Child(Child.rutter, ["--workspace", workspace.path, "-c", command])
    }
}

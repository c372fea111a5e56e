import Formats
import Foundation
import PluginKit
import TrailStores

/// `route import FILE`
struct ImportRoute: CommandProvider {
    let library: RouteLibrary

    var name: String { "route import" }

    var command: Command {
        Command(
            name, "import the tracks and routes of a GPX file",
            details: """
                No region is needed. Turn instructions are derived from the bends of the line: corners of 45° or more, \
                and of 15° or more between straight pieces of 50 m. The duration assumes ways of unknown surface. \
                Heights are kept if every point has one; otherwise gain and loss are unknown, and the duration excludes \
                climbing. Returns one route, or rows if the file has several lines.
                """,
            .positional("file", .inputFile, "GPX file"),
            .option("name", .text, "name of the route; several lines are numbered"),
            .option("mode", ParameterType.choice(of: TravelMode.self), default: "hiking", "mode of travel"),
            output: .value("route"), effect: .changes,
            examples: [
                .init(
                    "the file must exist", "expect-error E-FILE-MISSING route import walk.gpx",
                    gives: "no such file: walk.gpx")
            ], searchTerms: ["gpx", "track"]
        ) { context, file, name, mode in
            let document = try TrackFile(file, check: context.checkCancelled).document
            let defaults = TrackRoutes.Defaults(
                name: name, mode: mode,
                fileName: file.deletingPathExtension().lastPathComponent, now: context.clock.now)
            var made = try TrackRoutes.routes(
                document, defaults, id: context.random.uuid, check: context.checkCancelled)
            for index in made.indices where made[index].isNameOfFile {
                let route = made[index].route
                let name = try await context.placeName(from: route.start, to: route.end)
                if let name { made[index].route.name = name }
            }
            guard !made.isEmpty else {
                throw SavedRouteErrors.line(
                    "\(file.lastPathComponent) has no track or route with two points", at: .parameter("file"),
                    fix: document.waypoints.isEmpty ? nil : "it has waypoints: waypoint import")
            }
            let routes = made.map { Route($0.route) }
            try library.save(routes, context)
            if routes.count == 1 { return .object(routes[0]) }
            return .table(objects: routes, columns: Route.columns)
        }
    }
}

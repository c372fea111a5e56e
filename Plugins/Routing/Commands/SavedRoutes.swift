import Foundation
import PluginKit
import TrailStores

/// `route save [NAME]`
struct SaveRoute: CommandProvider {
    let library: RouteLibrary

    var name: String { "route save" }

    var command: Command {
        Command(
            name, "save a route as a planned route",
            details: """
                One JSON file in planned_routes, in the apps' format, with turn instructions and elevation profile. If \
                heights along the route are unknown, it is saved without profile, gain and loss. Saving a route again \
                replaces its file. Several routes, such as the days of `route stages`, are all saved, or none.
                """,
            .optional("name", .text, "name of the route"),
            input: .value("route"), output: .value("route"), effect: .changes,
            examples: [
                .init(
                    "save, then list", "route list | count",
                    after: Samples.sketch + ["route plan $p.A $p.C | route save 'To C'"], gives: "1")
            ],
            searchTerms: ["keep a route", "store a route", "keep", "store", "for later", "favourite route"]
        ) { input, context, name in
            var routes = try RouteInput.routes(in: input, for: "route save")
            if let name {
                guard routes.count == 1 else {
                    throw CommonErrors.argumentRange(
                        "one name for \(routes.count, of: "route")", at: .parameter("name"),
                        fix: "omit the name: each keeps its own; or select one: … | first | route save NAME")
                }
                routes[0].planned.name = name
            }
            try library.save(routes, context)
            return routes.count == 1
                ? .object(routes[0]) : .table(objects: routes, columns: Route.columns)
        }
    }
}

/// `route list`
struct ListRoutes: CommandProvider {
    let library: RouteLibrary

    var name: String { "route list" }

    var command: Command {
        Command(
            name, "list planned routes, newest first",
            details:
                "Unreadable files come last, with their error; they are never changed or deleted.",
            output: .rows(Route.columns), effect: .reads,
            examples: [.init("none yet", "route list | count", gives: "0")],
            searchTerms: [
                "my routes", "saved routes", "planned routes", "what did i plan", "my plans", "planned tours",
            ]
        ) { context in
            let entries = try library.entries(context)
            let rows = entries.map { entry -> Value in
                switch entry.content {
                case .success(let route): .object(Route(route))
                case .failure(let error): Self.damaged(entry.url, error)
                }
            }
            let hasErrors = entries.contains { $0.error != nil }
            return .table(columns: Route.columns + (hasErrors ? ["error"] : []), rows: rows)
        }
    }

    private static func damaged(_ url: URL, _ error: PlannedRouteError) -> Value {
        var record = Record(keys: Route.columns + ["error"], values: [])
        record["name"] = .text(url.lastPathComponent)
        record["error"] = .text(error.message)
        return .record(record)
    }
}

/// `route show [ROUTE]`
struct ShowRoute: CommandProvider {
    var name: String { "route show" }

    var command: Command {
        Command(
            name, "show a planned route",
            details: "Further fields for `get` and `select`: id, created, modified, region, turns, warnings.",
            RouteInput.parameter,
            input: .optional(.value("route")), output: .value("route"), effect: .reads,
            examples: [
                .init(
                    "by name", "route show 'To C' | get name",
                    after: Samples.sketch + ["route plan $p.A $p.C --name 'To C' | route save"], gives: "To C"
                )
            ],
            searchTerms: [
                "details of a route", "how long is the route", "length of a planned route",
                "details of a plan",
            ]
        ) { input, _, named in
            .object(try RouteInput.route(named, input, for: "route show"))
        }
    }
}

/// `route edit ROUTE --name NAME`
struct EditRoute: CommandProvider {
    let library: RouteLibrary

    var name: String { "route edit" }

    var command: Command {
        Command(
            name, "change the name of a planned route",
            details: "The rest of its file is unchanged, including unknown keys.",
            .positional(
                "route", ParameterType.reference("route", to: Route.self), "route by name or id"),
            .requiredOption("name", .text, "new name"),
            output: .value("route"), effect: .changes,
            examples: [
                .init(
                    "rename a route", "route edit 'To C' --name 'Home' | get name",
                    after: Samples.sketch + ["route plan $p.A $p.C --name 'To C' | route save"], gives: "Home"
                )
            ],
            searchTerms: ["add a stopover", "rename a route", "change the name of a route", "rename a plan"]
        ) { context, route, name in
            .object(try library.rename(route, to: name, context))
        }
    }
}

/// `route delete ROUTE`
struct DeleteRoute: CommandProvider {
    let library: RouteLibrary

    var name: String { "route delete" }

    var command: Command {
        Command(
            name, "delete a planned route",
            details: "`undo` restores its file.",
            .positional(
                "route", ParameterType.reference("route", to: Route.self), "route by name or id"),
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "delete a route", "route delete 'To C'",
                    after: Samples.sketch + ["route plan $p.A $p.C --name 'To C' | route save"],
                    gives: "deleted route To C")
            ], searchTerms: ["remove a route", "remove"]
        ) { context, route in
            try library.delete(route, context)
            return .text("deleted route \(route.name)")
        }
    }
}

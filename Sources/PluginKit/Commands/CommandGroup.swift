/// What one wants to do with a command: the chapters of the reference and of `help`, in their order.
public enum CommandGroup: String, CaseIterable, Sendable {
    case files, places, waypoints, hikes, routes, guidance, transit, sound, pictures, sync, stores, web
    case rows, variables, notebooks, session, plugin, teaching, testing
    /// Commands of external plugins.
    case external
    /// Definitions of the user.
    case own

    /// Its heading.
    public var title: String {
        switch self {
        case .files: "Read and write files"
        case .places: "Find places, and notations of coordinates"
        case .waypoints: "Waypoints and their categories"
        case .hikes: "Hikes and photos"
        case .routes: "Regions, routes and trails"
        case .guidance: "Guidance along a route"
        case .transit: "Stops, departures and journeys"
        case .sound: "Audio beacons and tones"
        case .pictures: "Maps, profiles and charts"
        case .sync: "Sync between devices"
        case .stores: "Stores of apps, and what is wrong with them"
        case .web: "The page in a browser"
        case .rows: "Rows and values"
        case .variables: "Variables, conditions and commands of one's own"
        case .notebooks: "Notebooks"
        case .session: "Help and the session"
        case .plugin: "Plugins"
        case .teaching: "Watch an algorithm, and compare"
        case .testing: "Test"
        case .external: "Commands of external plugins"
        case .own: "Your definitions"
        }
    }

    /// Which of its commands to use for what; `nil` where the summaries say it.
    public var guide: [(use: String, purpose: String)]? {
        switch self {
        case .teaching:
            [
                ("trace PIPELINE", "all decisions at once, as rows to filter, count and chart"),
                ("step PIPELINE", "one decision at a time: step next, step back, step to"),
                ("step play", "the same by keys, full screen"),
                ("step picture --out a.svg", "the state at the current step, for a slide"),
                ("… | export a.html", "a trace as a player in a page, for a class"),
                ("step differ", "the first step where two pipelines part"),
                ("sweep NAME VALUES BLOCK", "results for several values of a setting"),
            ]
        default: nil
        }
    }
}

/// A command that serves another purpose than the rest of its plugin.
private struct RegroupedCommand: CommandProvider {
    let provider: any CommandProvider
    let group: CommandGroup?

    var name: String { provider.name }
    var command: Command { provider.command }
}

extension CommandProvider {
    /// The same command in another group than that of its plugin.
    public func grouped(_ group: CommandGroup) -> any CommandProvider {
        RegroupedCommand(provider: self, group: group)
    }
}

extension [any CommandProvider] {
    /// The same commands in another group than that of their plugin.
    public func grouped(_ group: CommandGroup) -> Self { map { $0.grouped(group) } }
}

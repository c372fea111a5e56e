import PluginKit

/// The sources of a scene as time passes: which of them are reached, and which place of a route is heard.
struct SceneTracker {
    private let sources: [Source]
    private let path: ListenerPath
    private let placing: PlacementCalculator
    /// For each source, whether it was reached.
    private var there: [Bool]
    /// For each source, how far its route is followed.
    private var steps: [RouteStep]
    /// Seconds of the walk; `nil` before it begins.
    private var time: Double?

    init(_ sources: [Source], path: ListenerPath, placing: PlacementCalculator) {
        self.sources = sources
        self.path = path
        self.placing = placing
        there = [Bool](repeating: false, count: sources.count)
        steps = [RouteStep](repeating: RouteStep(), count: sources.count)
    }

    /// Lets time pass until some seconds since the start of the walk: no place of a route is missed between two looks.
    mutating func advance(to end: Double) {
        let routes = sources.indices.filter { !sources[$0].route.isEmpty }
        guard !routes.isEmpty else { return time = end }
        var now = min(end, time.map { $0 + BeaconSettings.routeStep } ?? 0)
        while true {
            let place = path.pose(at: now).coordinate
            for index in routes { steps[index].update(sources[index].route, at: place, now) }
            if now >= end { break }
            now = min(end, now + BeaconSettings.routeStep)
        }
        time = end
    }

    /// The name of what is heard of a source at present.
    func name(of index: Int) -> String {
        let source = sources[index]
        return source.route.isEmpty ? source.name : source.route[steps[index].index].name
    }

    /// The names of the places of routes that were passed without being reached.
    var passed: [String] {
        sources.indices.flatMap { source in
            steps[source].passed.map { sources[source].route[$0].name }
        }
    }

    /// A source at present: of a route the place that is heard.
    func present(_ index: Int) -> Source {
        var source = sources[index]
        guard !source.route.isEmpty else { return source }
        let place = source.route[steps[index].index]
        (source.name, source.coordinate) = (place.name, place.coordinate)
        return source
    }

    /// The placement of a source at present.
    mutating func placement<Recorder: TraceRecorder>(of index: Int, trace: inout Recorder) -> SourcePlacement
    {
        let source = present(index)
        let placement = placing.placement(
            of: source.coordinate, name: source.name, from: path.pose(at: time ?? 0),
            wasThere: source.route.isEmpty ? there[index] : steps[index].reachedAt != nil, trace: &trace)
        there[index] = placement.hasArrived
        return placement
    }

    /// The placement of a source at present, whose steps are recorded in the log only while tracing.
    mutating func traced(_ index: Int, tracing: Bool, log: inout TraceLog) -> SourcePlacement {
        if tracing { return placement(of: index, trace: &log) }
        var none = NoTrace()
        return placement(of: index, trace: &none)
    }
}

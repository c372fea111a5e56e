import Formats
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// `route match FILE`
struct MatchRoute: CommandProvider {
    let service: RouteService

    var name: String { "route match" }

    var command: Command {
        Command(
            name, "match a recorded track to the ways of a region",
            details: """
                Method: a hidden Markov model (Newson and Krumm 2009) over the ways within 60 m of each position. Returns \
                one route, or one for each piece if the track leaves the network. Of several regions around the track the first in \
                which all of it can be matched is used, else the one with the fewest gaps. One-way restrictions are ignored. \
                `trace route match …` shows the candidates of each position, their scores, and the traced-back path.
                """,
            .positional("file", .inputFile, "file with a track: GPX, FIT, TCX, KML or GeoJSON"),
            .option("name", .text, "name of the route"),
            PlanOptions.parametersOfGivenWays,
            output: .value("route"), effect: .reads,
            examples: [
                .init(
                    "the file must exist", "expect-error E-FILE-MISSING route match walk.gpx",
                    after: Samples.sketch, gives: "no such file: walk.gpx")
            ],
            searchTerms: [
                "planned and actual", "compare planned and recorded",
                "snap to roads", "align a track",
                "fix a track", "align", "map matching", "snap", "gpx", "track", "snap track to roads",
                "clean a track by roads", "which streets did i walk", "snap to path",
            ]
        ) { context, file, name, options in
            let track = try TrackFile(file, isPlan: true, check: context.checkCancelled).lines
                .flatMap(\.segments).joined().map(\.coordinate).filter(\.isValid)
            guard track.count > 1 else {
                throw SavedRouteErrors.line(
                    "\(file.lastPathComponent) has no track or route with two points", at: .parameter("file"))
            }
            var request = try options.plan(track, context)
            request.name = name
            let answer = try service.answer(request, context, lacking: Self.gaps) { region in
                try Self.match(track, region.graph, context)
            }
            let (matched, region, profile) = (answer.value, answer.region, request.profile)
            let doubts = Self.doubts(matched)
            let routes = matched.paths.map { path in
                var path = path
                (path.cost, path.duration) = PathTurns(graph: region.graph, path: path).sums(profile)
                path.mode = profile.mode
                var plan = request
                plan.region = region.name
                plan.places = [path.stops[0].point, path.stops[path.stops.count - 1].point]
                var route = service.route(path, plan, region, context)
                route.found?.warnings += doubts
                return answer.named(route)
            }
            for doubt in doubts { context.log.notice("\(doubt)") }
            if routes.count == 1 { return .object(routes[0]) }
            return .table(objects: routes, columns: ["name", "distance", "duration", "gain", "loss"])
        }.deciding("route match walk.gpx", after: Samples.sketch + ["[$p.A $p.B $p.C] | save walk.gpx"])
    }

    /// What a match lacks: positions without a way, and connections between its pieces.
    private static func gaps(_ matched: MatchedTrack) -> Int { matched.unmatched + matched.paths.count - 1 }

    /// What of the track is not in the routes, or not as it stands there.
    private static func doubts(_ matched: MatchedTrack) -> [String] {
        func positions(_ count: Int) -> String { count == 1 ? "1 position is" : "\(count) positions are" }
        let radius = Literal.quantity(.metres(MatchSettings.radius))
        let rest = Literal.quantity(.metres(MatchSettings.restRadius))
        return [
            matched.unmatched > 0 ? "\(positions(matched.unmatched)) more than \(radius) from any way" : nil,
            matched.stray > 0
                ? "\(positions(matched.stray)) set aside, far from those before and after" : nil,
            matched.rests > 0
                ? "\(matched.rests, of: "rest"): positions to and fro within \(rest) count as one place"
                : nil,
        ].compactMap(\.self)
    }

    /// Matches, with the lattice of candidates if a recorder is active; also if nothing matches.
    private static func match(
        _ track: [Coordinate], _ graph: RoutingGraph, _ context: Context
    ) throws -> MatchedTrack {
        let matcher = MapMatcher(graph)
        guard let tracing = context.tracing else {
            return try matcher.match(track, progress: context.progress)
        }
        var log = TraceLog(limit: tracing.limit)
        defer { tracing.keep(log, picture: MatchPicturing(graph: graph, track: track)) }
        return try matcher.match(track, progress: context.progress, trace: &log)
    }
}

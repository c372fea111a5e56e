import Formats
import Foundation
import Geodesy
import PluginKit
import TrailStores
import TurnInstructions

/// Routes from files and lines, independent of other plugins.
enum RouteFiles {
    /// A planned route as apps write it.
    static func planned(_ url: URL, _ context: Context) throws -> GuideRoute? {
        do {
            let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
            guard size <= PlannedRouteFolder.longestFile else { throw PlannedRouteError.tooLong(size) }
            let route = try PlannedRouteJSON.route(try Data(contentsOf: url))
            return GuideRoute(
                name: route.name, mode: route.mode, line: line(of: route),
                turns: route.turns.isEmpty
                    ? turns(route.coordinates, TurnThresholds(context.settings)) : route.turns,
                duration: route.duration,
                isBareLine: route.regionID == nil, via: route.via)
        } catch {
            let why =
                switch error {
                case let error as PlannedRouteError: error.message
                case let fault as JSONFault: fault.description
                default: (error as NSError).localizedDescription
                }
            throw GuidanceErrors.route(
                "\(url.lastPathComponent) is not a planned route: \(why)", at: .parameter("route"))
        }
    }

    /// Metres between the end of a track and the start of the next that are one way.
    private static let oneWay = 200.0
    /// Metres from both neighbours of a point that is alone, and how many times as far from each other these may be.
    private static let farAlone = 1000.0
    private static let farAloneRatio = 20.0

    /// The way of a file of tracks, with the cues of its author and turns from its bends: tracks that follow each other are one. Throws `E-GUIDE-ROUTE` for
    /// several that do not.
    static func tracks(_ url: URL, _ context: Context) throws -> GuideRoute? {
        let file = try TrackFile(url, isPlan: true, check: context.checkCancelled)
        var rests = 0
        let lines = file.lines.map { line in
            let recorded = RestFreeLine(line.segments.flatMap(\.self))
            rests += recorded.rests
            return (line.name, Polyline.withoutRepetition(recorded.points))
        }
        if rests > 0 {
            context.log.warning(
                "\(url.lastPathComponent): \(rests, of: "rest") of a recording, each taken as one place")
        }
        let ways = lines.filter { $0.1.count > 1 }
        guard let (name, first) = ways.first else { return nil }
        var points = first
        reportAlone(file, url.lastPathComponent, context)
        for doubt in file.lines.flatMap(\.doubts) {
            context.log.warning("\(url.lastPathComponent): \(doubt)")
        }
        reportGaps(file, context)
        reportStraightLines(file, context)
        var joined = 1
        var hasRepetition = false
        let bare = first.map(\.withoutAltitude)
        for (index, line) in lines.enumerated().drop(while: { $0.element.1.count < 2 }).dropFirst()
        where line.1.count > 1 {
            let way = line.1
            if way.map(\.withoutAltitude) == bare {
                hasRepetition = true
                continue
            }
            // Planners write the turns of a track as a route beside it.
            if index >= file.document.tracks.count, isDrawn(way, by: points) { continue }
            guard let end = points.last, let next = way.first, end.distance(to: next) <= oneWay else {
                throw GuidanceErrors.route(
                    "\(url.lastPathComponent) has \(ways.count) tracks or routes that are not one way",
                    at: .parameter("route"),
                    fix: "keep one: import \(Literal.text(url.lastPathComponent)) --as routes --number 1")
            }
            points += way
            joined += 1
        }
        if hasRepetition {
            context.log.warning("\(url.lastPathComponent): several tracks draw the same line: taken once")
        }
        if joined > 1 {
            context.log.warning(
                "\(url.lastPathComponent): \(joined) tracks that follow each other are one way")
        }
        let told = PlanCues(file).told(turns(points, TurnThresholds(context.settings)), on: points)
        if told.far > 0 {
            context.log.warning("\(told.far, of: "cue") of the file too far from the line: not told")
        }
        if let first = told.against.first {
            context.log.warning(
                "\(told.against.count, of: "cue") of the file saying the other side than the line turns to, told as written: \(first)"
            )
        }
        return GuideRoute(
            name: name ?? file.document.name ?? url.deletingPathExtension().lastPathComponent, mode: .hiking,
            line: points, turns: told.turns, duration: nil, isBareLine: true)
    }

    /// Whether all points of a way lie on a line, in its order.
    private static func isDrawn(_ way: [Coordinate], by line: [Coordinate]) -> Bool {
        guard let geometry = RouteGeometry(line) else { return false }
        var least = 0.0
        for point in way {
            let nearest = geometry.nearest(point).distance
            guard nearest <= PlanCues.beside else { return false }
            let passes = geometry.passes(point, within: nearest + GuidanceLimits.tie)
            guard let pass = passes.first(where: { $0.along >= least - PlanCues.beside }) else {
                return false
            }
            least = max(least, pass.along)
        }
        return true
    }

    /// Warns of single points far away: a slip of the editor, or of the receiver.
    private static func reportAlone(_ file: TrackFile, _ name: String, _ context: Context) {
        for segment in file.lines.flatMap(\.segments) {
            let places = segment.map(\.coordinate.withoutAltitude)
            let alone = alone(in: places)
            guard let first = alone.first else { continue }
            let metres = Literal.inMessage(.metres(places[first].distance(to: places[first - 1])))
            let what = "\(alone.count, of: "point") far from both neighbours"
            let place = Literal.coordinate(places[first])
            context.log.warning(
                "\(name): \(what), where the plan leads there and back: \(place), \(metres) away")
        }
    }

    /// The indexes of the points that are far from both their neighbours, which are near each other.
    static func alone(in places: [Coordinate]) -> [Int] {
        places.indices.dropFirst().dropLast().filter { index in
            let (before, here, next) = (places[index - 1], places[index], places[index + 1])
            let least = min(before.distance(to: here), here.distance(to: next))
            // A way to a summit and back the same way has the same point before and after it.
            return least >= farAlone && before != next
                && before.distance(to: next) * farAloneRatio <= least
        }
    }

    /// Warns of straight lines between segments that are far apart: nobody has drawn or walked a way there.
    private static func reportGaps(_ file: TrackFile, _ context: Context) {
        for line in file.lines {
            for (one, next) in zip(line.segments, line.segments.dropFirst()) {
                guard let end = one.last?.coordinate, let start = next.first?.coordinate,
                    end.distance(to: start) > oneWay
                else { continue }
                let metres = Literal.inMessage(.metres(end.distance(to: start)))
                let places = [end, start].map { Literal.coordinate($0.withoutAltitude) }
                context.log.warning(
                    "two segments are \(metres) apart: from \(places[0]) to \(places[1]) the plan is a straight line"
                )
            }
        }
    }

    /// Warns of a plan that is mostly straight lines between places far apart: nobody has drawn a way between them.
    private static func reportStraightLines(_ file: TrackFile, _ context: Context) {
        for line in file.lines {
            let segments = line.segments.map { $0.map(\.coordinate.withoutAltitude) }
            guard let longest = longestStraight(in: segments) else { continue }
            let metres = Literal.inMessage(.metres(longest))
            context.log.warning(
                "the plan is mostly straight lines between points up to \(metres) apart, and its turns are at these points: `route plan` finds ways between places"
            )
        }
    }

    /// The longest step of a line whose length is mostly that of steps of a kilometre and more; `nil` for others.
    static func longestStraight(in segments: [[Coordinate]]) -> Double? {
        let steps = segments.flatMap { segment in
            zip(segment, segment.dropFirst()).map { $0.distance(to: $1) }
        }
        let long = steps.filter { $0 >= farAlone }
        return long.reduce(0, +) > steps.reduce(0, +) / 2 ? long.max() : nil
    }

    /// A line of coordinates, with turns from its bends.
    static func line(_ points: [Coordinate], _ thresholds: TurnThresholds = TurnThresholds()) -> GuideRoute? {
        GuideRoute(
            name: "line", mode: .hiking, line: points, turns: turns(points, thresholds), duration: nil,
            isBareLine: true)
    }

    private static func turns(_ line: [Coordinate], _ thresholds: TurnThresholds) -> [TurnInstruction] {
        var generator = TurnGenerator(trace: NoTrace(), thresholds: thresholds)
        return generator.turns(alongLine: line)
    }

    /// The line with the altitudes of the route's profile.
    private static func line(of route: PlannedRoute) -> [Coordinate] {
        guard let profile = route.profile, profile.count > 1 else { return route.coordinates }
        let along = Polyline.cumulativeDistances(route.coordinates)
        let scale = (along.last ?? 0) > 0 ? route.distance / (along.last ?? 1) : 1
        var next = 1
        return zip(route.coordinates, along).map { point, distance in
            let wanted = distance * scale
            while next < profile.count - 1, profile[next].distance < wanted { next += 1 }
            let (low, high) = (profile[next - 1], profile[next])
            let step = high.distance - low.distance
            let share = step > 0 ? max(0, min(1, (wanted - low.distance) / step)) : 0
            return Coordinate(
                latitude: point.latitude, longitude: point.longitude,
                altitude: low.elevation + share * (high.elevation - low.elevation))
        }
    }
}

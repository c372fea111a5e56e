import Foundation
import Geodesy
import PluginKit

/// Matches positions to the line of a route by distance.
extension RouteGeometry {
    /// The nearest point of the whole line by a linear scan; the reference for the others.
    public func scanned(_ coordinate: Coordinate) -> RouteMatch {
        let plane = LocalPlane(inDegreesAround: coordinate)
        var best = (segment: 0, share: 0.0, square: Double.infinity)
        segments.withUnsafeBufferPointer { segments in
            for index in segments.indices {
                let (share, square) = plane.project(segments[index])
                if square < best.square { best = (index, share, square) }
            }
        }
        return match(best.segment, best.share, from: coordinate)
    }

    /// The nearest point of the whole line, by the tree.
    public func nearest(_ coordinate: Coordinate) -> RouteMatch {
        let best = tree.nearest(LocalPlane(inDegreesAround: coordinate), in: segments)
        return match(best.segment, best.share, from: coordinate)
    }

    /// The points where the line comes nearest to a position, one for each time it passes within a distance in metres,
    /// in the order of the line. Distances are those of the plane.
    func passes(_ coordinate: Coordinate, within radius: Double) -> [RouteMatch] {
        let limit = radius / LocalPlane.metresPerDegree
        var found: [RouteMatch] = []
        var previous = (segment: -2, share: 0.0)
        tree.forEach(LocalPlane(inDegreesAround: coordinate), within: limit * limit, in: segments) {
            segment, share, square in
            let next = RouteMatch(
                segment: segment, share: share,
                along: along[segment] + share * (along[segment + 1] - along[segment]),
                distance: square.squareRoot() * LocalPlane.metresPerDegree)
            let isNeighbour = segment == previous.segment + 1
            if isNeighbour, share <= 0 {
                // A nearest point at the end of the previous segment was already returned.
            } else if isNeighbour, let last = found.last,
                previous.share >= 1 || next.along - last.along < GuidanceLimits.tie
            {
                // The same pass, around the shared point.
                if next.distance < last.distance { found[found.count - 1] = next }
            } else {
                found.append(next)
            }
            previous = (segment, share)
        }
        return found
    }

    /// The nearest point of the whole line; of points equally near the next ahead of `last`, then the next behind.
    func nearest<Recorder: TraceRecorder>(
        _ coordinate: Coordinate, from last: Double, trace: inout Recorder
    ) -> RouteMatch {
        let best = nearest(coordinate)
        var chosen = best
        var least = Double.infinity
        for pass in passes(coordinate, within: best.distance + GuidanceLimits.tie) {
            let travel = pass.along >= last ? pass.along - last : length + last - pass.along
            trace.record(MatchSteps.candidate(pass, cost: travel, what: "travel"))
            if travel < least {
                least = travel
                chosen = pass
            }
        }
        return match(chosen.segment, chosen.share, from: coordinate)
    }

    /// The best point within the window around the last one.
    ///
    /// The cost of a point is its distance from the position plus a share of the distance along the line
    /// from the last match; a point behind the farthest one reached costs more, up to a limit. So a route
    /// that crosses itself or doubles back is followed in order, and noise does not move the match to
    /// another segment nearby.
    func windowed<Recorder: TraceRecorder>(
        _ coordinate: Coordinate, around window: MatchWindow, trace: inout Recorder
    ) -> RouteMatch {
        let plane = LocalPlane(inDegreesAround: coordinate)
        let reach = MatchReach(window)
        var best = BestMatch()
        segments.withUnsafeBufferPointer { segments in
            along.withUnsafeBufferPointer { along in
                // Forward first: of equal points the next ahead is kept.
                var index = window.segment
                while index < segments.count, along[index] <= reach.last {
                    look(
                        at: segments[index], index, along: along, from: plane, window: window, best: &best,
                        trace: &trace)
                    index += 1
                }
                index = window.segment - 1
                while index >= 0, along[index + 1] >= reach.first {
                    look(
                        at: segments[index], index, along: along, from: plane, window: window, best: &best,
                        trace: &trace)
                    index -= 1
                }
            }
        }
        let lowest = lowest(near: best.segment, plane)
        return match(lowest.segment, lowest.share, from: coordinate)
    }

    /// The nearest point of the pass that contains a segment: the cost selects a pass and does not change
    /// distances.
    @inline(__always)
    private func lowest(near segment: Int, _ plane: LocalPlane) -> (segment: Int, share: Double) {
        var best = (segment: segment, found: plane.project(segments[segment]))
        for step in 0..<2 {
            let step = 1 - 2 * step
            var next = best.segment + step
            while segments.indices.contains(next) {
                let found = plane.project(segments[next])
                // Only through the shared point: a line that turns round overlaps itself.
                let isAtEnd = step > 0 ? best.found.share >= 1 : best.found.share <= 0
                guard isAtEnd, found.square < best.found.square else { break }
                best = (next, found)
                next += step
            }
        }
        return (best.segment, best.found.share)
    }

    @inline(__always)
    private func look<Recorder: TraceRecorder>(
        at segment: RouteSegment, _ index: Int, along: UnsafeBufferPointer<Double>, from plane: LocalPlane,
        window: MatchWindow, best: inout BestMatch, trace: inout Recorder
    ) {
        let (share, square) = plane.project(segment)
        // A point farther away than the best costs more, whatever its distance along the line.
        guard square < best.square else { return }
        let distance = square.squareRoot() * LocalPlane.metresPerDegree
        let place = along[index] + share * (along[index + 1] - along[index])
        let back = max(0, min(window.backLimit, window.furthest - place))
        let cost = distance + window.travelWeight * abs(place - window.along) + back
        trace.record(
            MatchSteps.candidate(
                RouteMatch(segment: index, share: share, along: place, distance: distance), cost: cost,
                what: "cost"))
        guard cost < best.cost else { return }
        let limit = cost / LocalPlane.metresPerDegree
        best = BestMatch(segment: index, share: share, cost: cost, square: limit * limit)
    }
}

/// The part of the line that is searched first, and the cost of its points.
struct MatchWindow {
    /// The last match, metres from the start.
    var segment: Int
    var along: Double
    /// The farthest point reached, metres from the start.
    var furthest: Double
    /// Metres searched behind and ahead.
    var back: Double
    var ahead: Double
    var travelWeight: Double
    var backLimit: Double
}

/// The window's ends, metres from the start.
private struct MatchReach {
    let first: Double
    let last: Double

    @inline(__always)
    init(_ window: MatchWindow) {
        first = window.along - window.back
        last = window.along + window.ahead
    }
}

/// The best match so far.
private struct BestMatch {
    var segment = 0
    var share = 0.0
    var cost = Double.infinity
    /// The square of the distance beyond which no better point exists, in degrees of latitude.
    var square = Double.infinity
}

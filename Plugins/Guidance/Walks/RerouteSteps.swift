import Geodesy
import PluginKit

/// Steps of planning a new route: the points at which the line could be rejoined, and the candidate routes.
enum RerouteSteps {
    static func started(_ run: GuidanceRun, _ coordinate: Coordinate) -> TraceStep {
        .start(
            [
                ("route", .text(run.route.name)), ("at", .coordinate(coordinate)),
                ("along", .quantity(.metres(run.state.furthest))),
            ],
            why:
                "the part behind is not repeated: routes lead back to the line ahead, or to its end"
        )
    }

    static func point(
        _ along: Double, _ coordinate: Coordinate, _ geometry: RouteGeometry, isBest: Bool
    ) -> TraceStep {
        .candidate(
            values(
                "point of the line", along,
                length: geometry.coordinate(at: along).distance(to: coordinate), isStraight: true),
            isBest ? .best : .refused,
            why: isBest ? "the nearest point ahead" : "farther from here than another point"
        )
    }

    static func planned(_ route: any TravelRoute, _ mark: StepBoard.Mark) -> TraceStep {
        .candidate(
            values("new route to the end", nil, length: route.distance, isStraight: false), mark,
            why: mark == .best ? "the best route from here to the end" : "hardly shorter than rejoining")
    }

    static func back(
        _ route: (any TravelRoute)?, _ old: GuideRoute, from point: Double, _ isTaken: Bool
    ) -> TraceStep {
        guard let route else {
            return .candidate(
                values("back to the line and on", point, length: nil, isStraight: false), .refused,
                why: "no route leads back to the line")
        }
        return rejoining(
            route, old, from: point, isTaken ? .best : .refused,
            isTaken
                ? "hardly longer than a new route, and keeps the original plan"
                : "longer than a new route, or the same")
    }

    static func rejoining(
        _ route: any TravelRoute, _ old: GuideRoute, from point: Double, _ mark: StepBoard.Mark, _ why: String
    ) -> TraceStep {
        .candidate(
            values(
                "back to the line and on", point, length: route.distance + old.length - point,
                isStraight: false), mark, why: why)
    }

    static func ended(_ run: GuidanceRun) -> TraceStep {
        let isNew = run.events.last?.kind == .rerouted
        return .end(
            [("length", isNew ? .quantity(.metres(run.route.length)) : .nothing)],
            why: isNew ? "guidance continues along the new route" : "there is no new route")
    }

    private static func values(
        _ what: String, _ along: Double?, length: Double?, isStraight: Bool
    ) -> [(String, Value)] {
        [
            ("what", .text(what)), ("rejoins", Value(along) { .quantity(.metres($0)) }),
            (isStraight ? "away" : "length", Value(length) { .quantity(.metres($0)) }),
        ]
    }
}

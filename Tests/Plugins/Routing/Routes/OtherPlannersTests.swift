import PluginKit
import Testing

@testable import RoutingPlugin

/// Why other planners may not go where a route goes.
@Suite struct OtherPlannersTests {
    private func reserve(_ kind: EdgeKind, _ mode: TravelMode = .hiking) -> String? {
        var edge = RouteEdge(distance: 100, gain: 0, loss: 0, cost: 100)
        edge.kind = kind
        return OtherPlanners.reserve(edge, mode)
    }

    @Test(
        arguments: [
            (EdgeKind(highway: "ferry"), "a ferry: other planners may leave ferries out"),
            (EdgeKind(highway: "cycleway"), "no `foot` on a cycleway: other planners may keep walkers off"),
            (EdgeKind(highway: "path", sacScale: "alpine_hiking"), "T4: other planners may leave it out"),
            (
                EdgeKind(highway: "path", tags: ["informal": "yes"]),
                "informal=yes: other planners may leave it out"
            ),
            (EdgeKind(tags: ["barrier": "stile"]), "barrier=stile: other planners may not pass it"),
            (
                EdgeKind(highway: "path", tags: ["foot:conditional": "no @ (Nov-Apr)"]),
                "foot:conditional=no @ (Nov-Apr): other planners may not read it"
            ),
            (
                EdgeKind(highway: "path", tags: ["oneway": "yes"]),
                "oneway=yes: other planners may leave it out"
            ),
            (EdgeKind(highway: "residential", tags: ["oneway": "yes"]), nil),
            (EdgeKind(highway: "path"), nil),
            (EdgeKind(highway: "path", sacScale: "hiking"), "T1: other planners may go round it"),
            (EdgeKind(highway: "steps"), "steps: other planners may go round them"),
            (
                EdgeKind(highway: "service", tags: ["service": "alley"]),
                "service=alley: other planners may go round it"
            ),
            (EdgeKind(highway: "cycleway", tags: ["foot": "yes"]), nil),
            (EdgeKind(tags: ["barrier": "gate"]), nil),
        ] as [(EdgeKind, String?)])
    func reasons(kind: EdgeKind, reason: String?) {
        #expect(reserve(kind) == reason)
    }

    @Test func cyclistsHaveReasonsOfTheirOwn() {
        let path = EdgeKind(highway: "path")
        #expect(reserve(path, .cycling) == "no `bicycle` on a path: other planners may keep bicycles off")
        #expect(reserve(EdgeKind(highway: "cycleway"), .cycling) == nil)
    }
}

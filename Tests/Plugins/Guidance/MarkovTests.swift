import Foundation
import Geodesy
import PluginKit
import Testing

@testable import GuidancePlugin

@Suite struct MarkovTests {
    @Test("the path is the likeliest of all, found by trying every one")
    func viterbi() throws {
        let ground = Ground()
        // Four passes within reach of most positions.
        let geometry = try #require(
            RouteGeometry(ground.fineLine([(0, 0), (200, 0), (200, 30), (0, 30), (0, 60), (200, 60)])))
        let model = MarkovModel(sigma: 10, beta: 5, lag: 50)
        var random = Xoshiro256(seed: 3)
        for _ in 0..<30 {
            var memory = MarkovMemory()
            var none = NoTrace()
            var columns: [[RouteMatch]] = []
            var places: [Coordinate] = []
            var found: RouteMatch?
            for step in 0..<5 {
                let place = ground.place(
                    60 + 12 * Double(step) + 15 * random.unit(), 15 + 30 * random.unit())
                let matches = geometry.candidates(place, within: 80)
                columns.append(matches)
                places.append(place)
                found = memory.step(matches, at: place, model: model, trace: &none)
            }
            #expect(columns.allSatisfy { $0.count >= 2 })
            #expect(found == Self.best(columns, places, model))
        }
    }

    /// The end of the likeliest path, by trying all.
    private static func best(
        _ columns: [[RouteMatch]], _ places: [Coordinate], _ model: MarkovModel
    ) -> RouteMatch? {
        var paths = columns[0].map { ([$0], model.emission($0.distance) + model.prior($0.along)) }
        for (index, column) in columns.enumerated().dropFirst() {
            let straight = places[index - 1].distance(to: places[index])
            paths = paths.flatMap { path, score in
                column.map { next in
                    let travel = next.along - path[path.count - 1].along
                    return (
                        path + [next],
                        score + model.transition(travel, straight: straight) + model.emission(next.distance)
                    )
                }
            }
        }
        return paths.max { $0.1 < $1.1 }?.0.last
    }

    @Test("no more than the last positions are remembered, and what is settled stays")
    func boundedLag() throws {
        let ground = Ground()
        let geometry = try #require(RouteGeometry(ground.fineLine([(0, 0), (0, 500), (5, 500), (5, 0)])))
        let model = MarkovModel(sigma: 5, beta: 5, lag: 3)
        var memory = MarkovMemory()
        var none = NoTrace()
        for step in 0..<100 {
            let place = ground.place(2, Double(step) * 2)
            let match = memory.step(
                geometry.candidates(place, within: 50), at: place, model: model, trace: &none)
            #expect(memory.columns.count <= 4)
            #expect(abs((match?.along ?? 0) - Double(step) * 2) < 3)
        }
    }
}

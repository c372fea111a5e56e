import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Clusters: every stop once, independent of the order, everywhere on Earth.
@Suite struct ClusterTests {
    private func clusters(_ places: [Coordinate], more: Int = 5) -> StopClusters {
        var none = NoTrace()
        return StopClusters(places, keys: places.indices.map { "s\($0)" }, moreThan: more, recorder: &none)
    }

    /// Places in a few dense spots and scattered around them.
    private func town(_ count: Int, around center: Coordinate, seed: UInt64) -> [Coordinate] {
        var random = Xoshiro256(seed: seed)
        return (0..<count).map { _ in
            let spot = center.destination(
                bearing: Double.random(in: 0..<360, using: &random),
                distance: Double(Int.random(in: 0..<6, using: &random)) * 300)
            return spot.destination(
                bearing: Double.random(in: 0..<360, using: &random),
                distance: Double.random(in: 0..<250, using: &random))
        }
    }

    static let centers = [
        Coordinate(latitude: 0.5, longitude: 0.5), Coordinate(latitude: 47.3, longitude: 8.5),
        Coordinate(latitude: -33.87, longitude: 151.21), Coordinate(latitude: -16.8, longitude: 180),
        Coordinate(latitude: 78.2, longitude: -179.999), Coordinate(latitude: 89.999, longitude: 40),
    ]

    @Test(arguments: centers)
    func everyStopOnceAndNoneForgotten(center: Coordinate) {
        let places = town(300, around: center, seed: 7)
        let made = clusters(places)
        let members = made.clusters.flatMap(\.members)
        #expect((members + made.singles).sorted() == Array(places.indices))
        #expect(!made.clusters.isEmpty)
        for cluster in made.clusters {
            #expect(cluster.members.count > 5)
            let seed = places[cluster.members[0]]
            for member in cluster.members { #expect(seed.distance(to: places[member]) < 100.001) }
            for member in cluster.members { #expect(cluster.center.distance(to: places[member]) < 200) }
        }
        // No single stop has more than five single neighbours.
        for single in made.singles {
            let around = made.singles.count { places[single].distance(to: places[$0]) <= 99.999 }
            #expect(around <= 5)
        }
    }

    /// The first cluster forms at a stop with the most around it, counted one by one.
    @Test func theDensestFirst() throws {
        let places = town(200, around: Coordinate(latitude: 50, longitude: 10), seed: 3)
        let most = places.map { place in places.count { place.distance(to: $0) <= 100 } }.max() ?? 0
        #expect(try #require(clusters(places).clusters.first).members.count == most)
    }

    @Test(arguments: centers)
    func theOrderDoesNotMatter(center: Coordinate) {
        let places = town(250, around: center, seed: 11)
        let keys = places.indices.map { "s\($0)" }
        var random = Xoshiro256(seed: 1)
        var none = NoTrace()
        func sets(_ made: StopClusters, _ keys: [String]) -> [[String]] {
            made.clusters.map { $0.members.map { keys[$0] } }
        }
        let expected = StopClusters(places, keys: keys, recorder: &none)
        for _ in 0..<5 {
            let order = places.indices.shuffled(using: &random)
            let mixedKeys = order.map { keys[$0] }
            let made = StopClusters(order.map { places[$0] }, keys: mixedKeys, recorder: &none)
            #expect(sets(made, mixedKeys) == sets(expected, keys))
            #expect(made.clusters.map(\.center) == expected.clusters.map(\.center))
        }
    }

    @Test func manyOnOnePoint() {
        let place = Coordinate(latitude: 47, longitude: 8)
        let made = clusters(Array(repeating: place, count: 20_000))
        #expect(made.clusters.count == 1 && made.clusters[0].members.count == 20_000 && made.singles.isEmpty)
        #expect(made.clusters[0].center.distance(to: place) < 0.01)
    }

    /// Both sides of the antimeridian are one place; its centre lies between them.
    @Test func acrossTheAntimeridian() {
        let places = (0..<8).map { index in
            Coordinate(latitude: -16.8, longitude: index % 2 == 0 ? 179.9999 : -179.9999)
        }
        let made = clusters(places)
        #expect(made.clusters.count == 1 && made.clusters[0].members.count == 8)
        #expect(abs(abs(made.clusters[0].center.longitude) - 180) < 1e-6)
    }

    @Test func fiveAreTooFew() {
        let place = Coordinate(latitude: 47, longitude: 8)
        #expect(clusters(Array(repeating: place, count: 5)).clusters.isEmpty)
        #expect(clusters(Array(repeating: place, count: 6)).clusters.count == 1)
        #expect(clusters([]).singles.isEmpty)
    }
}

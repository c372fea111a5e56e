import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// Near-search compared with a linear scan of all waypoints.
struct NearTests {
    private let folder: TemporaryFolder
    private let store: WaypointStore

    init() throws {
        folder = try TemporaryFolder()
        store = try WaypointStore(folder.url.appendingPathComponent("waypoints.db"), access: .own)
    }

    private func fill(_ places: [Coordinate]) throws -> [Waypoint] {
        let random = RandomSource(seed: 7)
        let waypoints = places.map {
            Waypoint(id: random.uuid(), coordinate: $0, timestamp: Fixture.moment)
        }
        var rest = waypoints.makeIterator()
        try store.insertAll { rest.next() }
        return waypoints
    }

    private func expectSame(_ waypoints: [Waypoint], _ coordinate: Coordinate, _ radius: Double) throws {
        let expected = waypoints.filter { coordinate.distance(to: $0.coordinate) <= radius }
        let found = try store.near(coordinate, radius: radius)
        #expect(Set(found.map(\.waypoint.id)) == Set(expected.map(\.id)), "\(coordinate), \(radius)m")
        let distances = found.map(\.distance)
        #expect(distances == distances.sorted())
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func findsWhatAPlainWalkFinds(seed: UInt64) throws {
        var random = Xoshiro256(seed: seed)
        func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
        // Dense about the poles, the antimeridian and one valley, thin elsewhere.
        let places = (0..<1500).map { index -> Coordinate in
            switch index % 5 {
            case 0: Coordinate(latitude: number(89...90), longitude: number(-180...180))
            case 1: Coordinate(latitude: number(-90 ... -89), longitude: number(-180...180))
            case 2: Coordinate(latitude: number(-1...1), longitude: Angle.longitude(180 + number(-1...1)))
            case 3: Coordinate(latitude: number(46...46.2), longitude: number(7.9...8.1))
            default: Coordinate(latitude: number(-90...90), longitude: number(-180...180))
            }
        }
        let waypoints = try fill(places)
        for index in 0..<120 {
            let place = index % 2 == 0 ? places[index * 11] : places[index]
            let radius = pow(10, number(-1...7.4))
            try expectSame(waypoints, place, radius)
        }
    }

    @Test(arguments: [0.0, 1, 20_015_200, 40_000_000, 1e300])
    func radiiFromNothingToRoundTheEarth(radius: Double) throws {
        let waypoints = try fill([
            Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 0, longitude: 180),
            Coordinate(latitude: 90, longitude: 0), Coordinate(latitude: -90, longitude: 77),
            Coordinate(latitude: 46.5, longitude: -180),
        ])
        for place in waypoints.map(\.coordinate) { try expectSame(waypoints, place, radius) }
    }

    @Test func aPlaceExactlyOnTheCircleIsWithin() throws {
        let center = Coordinate(latitude: 46.5763, longitude: 7.9904)
        let places = stride(from: 0.0, to: 360, by: 7.5).map {
            center.destination(bearing: $0, distance: 1234.5)
        }
        let waypoints = try fill(places)
        for place in places {
            let radius = center.distance(to: place)
            let found = try store.near(center, radius: radius)
            let on = try #require(waypoints.first { $0.coordinate == place })
            #expect(found.contains { $0.waypoint.id == on.id })
        }
    }

    @Test func acrossTheAntimeridianNearestFirst() throws {
        _ = try fill([
            Coordinate(latitude: 0, longitude: -179.9), Coordinate(latitude: 0, longitude: 179.95),
            Coordinate(latitude: 0, longitude: 178),
        ])
        let found = try store.near(Coordinate(latitude: 0, longitude: 179.99), radius: 20_000)
        // A degree of the equator is 111,226.3 m on this sphere: 0.04° and 0.11°.
        #expect(found.map { $0.distance.rounded() } == [4449, 12_235])
        #expect(try store.near(Coordinate(latitude: 0, longitude: 180), radius: 20_000, limit: 1).count == 1)
    }

    @Test func aPoleIsOnePlaceWhateverItsLongitude() throws {
        _ = try fill([Coordinate(latitude: 90, longitude: 45), Coordinate(latitude: -90, longitude: -120)])
        let pole = Coordinate(latitude: 90, longitude: 0)
        #expect(try store.near(pole, radius: 0).map(\.distance) == [0])
        #expect(try store.near(pole, radius: 200).map(\.distance) == [0])
        #expect(try store.near(Coordinate(latitude: -90, longitude: 179), radius: 0).count == 1)
    }

    @Test func equalDistancesHaveOneOrderOnBothSidesOfTheAntimeridian() throws {
        _ = try fill(
            [1.0, -1, 0.5, -0.5].flatMap { offset in
                [
                    Coordinate(latitude: offset, longitude: 180),
                    Coordinate(latitude: 0, longitude: Angle.longitude(180 + offset)),
                ]
            })
        func order(_ longitude: Double) throws -> [UUID] {
            try store.near(Coordinate(latitude: 0, longitude: longitude), radius: 500_000).map(\.waypoint.id)
        }
        #expect(try order(180).count == 8)
        #expect(try order(180) == order(-180))
    }
}

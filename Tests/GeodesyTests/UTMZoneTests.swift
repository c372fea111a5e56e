import Testing

@testable import Geodesy

@Suite("Zones of UTM")
struct UTMZoneTests {
    /// Coordinate, zone, easting, northing and convergence by PROJ 9.
    struct Row: Sendable {
        var latitude, longitude: Double
        var name: String
        var east, north, convergence: Double
    }

    private static let rows = [
        Row(
            latitude: 46.75, longitude: 9.45, name: "32T", east: 534370.74, north: 5177481.44,
            convergence: 0.32777),
        Row(
            latitude: 46.75, longitude: 11.9, name: "32T", east: 721494.78, north: 5181467.66,
            convergence: 2.11313),
        Row(
            latitude: 46.75, longitude: 12.1, name: "33T", east: 278505.22, north: 5181467.66,
            convergence: -2.11313),
        Row(
            latitude: 60.5, longitude: 3.5, name: "32V", east: 198102.99, north: 6719723.06,
            convergence: -4.79054),
        Row(
            latitude: 60.5, longitude: 2.5, name: "31V", east: 472533.24, north: 6707201.48,
            convergence: -0.43518),
        Row(
            latitude: 78.2, longitude: 15.6, name: "33X", east: 513696.95, north: 8680760.05,
            convergence: 0.58732),
        Row(
            latitude: -33.9, longitude: 18.4, name: "34H", east: 259583.22, north: 6245888.05,
            convergence: 1.45083),
        Row(
            latitude: -45, longitude: 179.9, name: "60G", east: 728564.49, north: 5012957.69,
            convergence: -2.05149),
        Row(
            latitude: -45, longitude: -179.9, name: "1G", east: 271435.51, north: 5012957.69,
            convergence: 2.05149),
        Row(latitude: 0, longitude: 3, name: "31N", east: 500000, north: 0, convergence: 0),
        Row(
            latitude: 20, longitude: -155.5, name: "5Q", east: 238422.91, north: 2213433.99,
            convergence: -0.85554),
    ]

    @Test("positions and convergence agree with PROJ", arguments: rows)
    func proj(row: Row) throws {
        let coordinate = Coordinate(latitude: row.latitude, longitude: row.longitude)
        let zone = try #require(UTMZone(of: coordinate))
        #expect(zone.name == row.name)
        let position = zone.position(of: coordinate)
        #expect(abs(position.east - row.east) < 0.01)
        #expect(abs(position.north - row.north) < 0.01)
        #expect(abs(zone.convergence(at: coordinate) - row.convergence) < 0.0001)
        let back = zone.coordinate(east: position.east, north: position.north)
        #expect(abs(back.latitude - row.latitude) < 1e-7)
        #expect(abs(back.longitude - row.longitude) < 1e-7)
    }

    @Test("the areas of zones cover each coordinate once, also in Norway and Svalbard")
    func areas() throws {
        for latitude in stride(from: -79.4567, through: 83.5, by: 3.7713) {
            for longitude in stride(from: -179.4567, through: 179.5, by: 2.8713) {
                let coordinate = Coordinate(latitude: latitude, longitude: longitude)
                let zone = try #require(UTMZone(of: coordinate))
                #expect(zone.area?.contains(coordinate) == true, "\(zone.name) \(latitude),\(longitude)")
                let around = UTMZone.meeting(
                    BoundingBox(
                        south: latitude, west: longitude, north: latitude + 1e-6, east: longitude + 1e-6))
                #expect(around == [zone])
            }
        }
    }

    @Test("a box across the 180° meridian meets the last zone and the first")
    func dateLine() {
        let box = BoundingBox(south: -31, west: 179, north: -30, east: -179)
        #expect(UTMZone.meeting(box).map(\.name) == ["1J", "60J"])
    }

    @Test("no zone beyond 84° N and 80° S")
    func poles() {
        #expect(UTMZone(of: Coordinate(latitude: 84.1, longitude: 0)) == nil)
        #expect(UTMZone(of: Coordinate(latitude: -80.1, longitude: 0)) == nil)
        #expect(UTMZone(of: Coordinate(latitude: .nan, longitude: 0)) == nil)
    }
}

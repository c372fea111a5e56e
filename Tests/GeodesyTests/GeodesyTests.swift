import Geodesy
import Testing

/// Distances and bearings on the sphere of radius 6372797.6 m: quarter arcs by hand, Zürich–Bern by the spherical
/// law of cosines with twenty digits.
@Suite struct GeodesyTests {
    let zurich = Coordinate(latitude: 47.3769, longitude: 8.5417)
    let bern = Coordinate(latitude: 46.948, longitude: 7.4474)

    @Test("quarter of a great circle")
    func quarter() {
        let equator = Coordinate(latitude: 0, longitude: 0)
        let quarter = GeodesySettings.earthRadius * .pi / 2
        #expect(abs(equator.distance(to: Coordinate(latitude: 0, longitude: 90)) - quarter) < 1e-6)
        #expect(abs(equator.distance(to: Coordinate(latitude: 90, longitude: 17)) - quarter) < 1e-6)
        #expect(equator.bearing(to: Coordinate(latitude: 0, longitude: 90)) == 90)
        #expect(equator.bearing(to: Coordinate(latitude: -1, longitude: 0)) == 180)
        #expect(equator.bearing(to: equator) == 0)
    }

    @Test("the shorter way across the antimeridian")
    func antimeridian() {
        let west = Coordinate(latitude: 0, longitude: -179.5)
        let east = Coordinate(latitude: 0, longitude: 179.5)
        #expect(abs(west.distance(to: east) - GeodesySettings.earthRadius * .pi / 180) < 1e-6)
        #expect(abs(east.bearing(to: west) - 90) < 1e-9)
        let box = BoundingBox(around: [west, east])
        #expect(box?.crossesAntimeridian == true && box?.longitudeSpan == 1)
        #expect(box?.contains(Coordinate(latitude: 0, longitude: 180)) == true)
        #expect(box?.contains(Coordinate(latitude: 0, longitude: 0)) == false)
    }

    @Test("round trip of bearing and distance")
    func destination() {
        for bearing in stride(from: 0.0, to: 360, by: 7.5) {
            for distance in [1.0, 1000, 250_000, 5_000_000] {
                let there = zurich.destination(bearing: bearing, distance: distance)
                #expect(there.isValid)
                #expect(abs(zurich.distance(to: there) - distance) < 1e-3)
                let difference = Angle.difference(from: bearing, to: zurich.bearing(to: there))
                #expect(abs(difference) < 1e-3 / distance * 1e5 + 1e-6)
            }
        }
        let middle = zurich.midpoint(to: bern)
        #expect(abs(zurich.distance(to: middle) - middle.distance(to: bern)) < 1e-3)
    }

    @Test("a box around a circle contains every point of it")
    func circle() {
        for latitude in [0.0, 47, -80, 89.99, 90] {
            let center = Coordinate(latitude: latitude, longitude: 179.9)
            let box = BoundingBox(center: center, radius: 20_000)
            for bearing in stride(from: 0.0, to: 360, by: 5) {
                #expect(box.contains(center.destination(bearing: bearing, distance: 19_999.9)))
            }
        }
    }

    @Test(
        "turns",
        arguments: [
            (350.0, 10.0, 20.0), (10, 350, -20), (0, 180, 180), (180, 0, 180), (90, 90, 0), (-90, 450, 180),
        ])
    func turns(from: Double, to: Double, turn: Double) {
        #expect(Angle.difference(from: from, to: to) == turn)
    }

    @Test("Web Mercator round trip")
    func mercator() {
        let point = WebMercator.project(Coordinate(latitude: 0, longitude: 0))
        #expect(abs(point.x - 0.5) < 1e-12 && abs(point.y - 0.5) < 1e-12)
        let back = WebMercator.unproject(WebMercator.project(zurich))
        #expect(abs(back.latitude - zurich.latitude) < 1e-9 && abs(back.longitude - zurich.longitude) < 1e-9)
        #expect(abs(WebMercator.project(Coordinate(latitude: 90, longitude: 0)).y) < 1e-9)
    }
}

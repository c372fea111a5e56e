import Foundation
import Geodesy
import Testing

@testable import Pictures

@Suite("Tracks in colours")
struct TrackColoringTests {
    /// Metres of a degree along a meridian of the sphere.
    private static let degree = GeodesySettings.earthRadius * .pi / 180

    private static func north(_ metres: Double, altitude: Double? = nil) -> Coordinate {
        Coordinate(latitude: metres / degree, longitude: 0, altitude: altitude)
    }

    /// A point every ten metres.
    private static func track(
        _ count: Int, _ change: (inout MeasuredPoint, Int) -> Void
    ) -> [MeasuredPoint] {
        (0..<count).map { index in
            var point = MeasuredPoint(north(Double(index) * 10))
            change(&point, index)
            return point
        }
    }

    @Test("a steady speed is measured on every leg, whatever the intervals")
    func speed() {
        // Two metres a second, each third point missing.
        let points = Self.track(60) { $0.time = Double($1) * 5 }.enumerated().filter { $0.offset % 3 != 1 }
        let values = TrackMeasuring.values(points.map(\.element), .speed)
        #expect(values.count == points.count - 1)
        for value in values { #expect(abs((value ?? 0) - 2) < 1e-9) }
    }

    @Test("a speed is not known without times, nor across a clock that was set back")
    func unknownSpeed() {
        let points = Self.track(40) { point, index in
            point.time = index < 20 ? Double(index) * 5 : Double(index) * 5 - 50
            if index == 5 { point.time = nil }
        }
        let values = TrackMeasuring.values(points, .speed)
        #expect(values.indices.filter { values[$0] == nil } == [4, 5, 19])
        // A rest is slow, and no gap.
        let resting = (0..<10).map { MeasuredPoint(Self.north(0), time: Double($0)) }
        #expect(TrackMeasuring.values(resting, .speed) == Array(repeating: 0, count: 9))
    }

    @Test("a grade is that of the ground, unknown beside a missing elevation and over too few metres")
    func grade() throws {
        let points = Self.track(40) { point, index in
            point.coordinate.altitude = index == 30 ? nil : Double(index)
        }
        let values = TrackMeasuring.values(points, .grade)
        #expect(values.indices.filter { values[$0] == nil } == [29, 30])
        for case let value? in values { #expect(abs(value - 0.1) < 1e-9) }
        let short = [MeasuredPoint(Self.north(0, altitude: 0)), MeasuredPoint(Self.north(3, altitude: 9))]
        #expect(TrackMeasuring.values(short, .grade) == [nil])
    }

    @Test("a heart rate that was not measured is no heart rate")
    func heartRate() {
        let points = Self.track(6) { $0.heartRate = $1 == 3 ? nil : 100 + Double($1) }
        #expect(TrackMeasuring.values(points, .heartRate) == [100.5, 101.5, nil, nil, 104.5])
    }

    @Test("a hundred thousand fixes at one place take no longer than others")
    func standing() {
        let points = (0..<100_000).map { MeasuredPoint(Self.north(0, altitude: 500), time: Double($0)) }
        #expect(TrackMeasuring.values(points, .grade).allSatisfy { $0 == nil })
        #expect(TrackMeasuring.values(points, .speed).allSatisfy { $0 == 0 })
    }

    @Test("each leg is drawn once in its class, and what is unknown is dashed in grey")
    func pieces() throws {
        var coloring = TrackColoring(.heartRate)
        let points = Self.track(101) { $0.heartRate = $1 > 40 && $1 < 60 ? nil : 90 + Double($1) }
        coloring.add([points])
        #expect(coloring.isKnown)
        let features = coloring.features(units: .metric)
        var legs: [Double: String] = [:]
        for case .line(let line, let style) in features where !style.label.isEmpty {
            #expect(style.stroke.dash.isEmpty == (style.label != "heart rate unknown"))
            for place in line.dropLast() {
                let metres = (place.latitude * Self.degree).rounded()
                #expect(legs.updateValue(style.label, forKey: metres) == nil)
            }
        }
        #expect(legs.count == 100)
        #expect(legs[0] == "under 100 bpm" && legs[990] == "from 160 bpm")
        #expect(legs[300] == "120–140 bpm" && legs[500] == "heart rate unknown")
    }

    @Test("a scale of one value has one class, and single wrong values do not stretch it")
    func scales() {
        let one = TrackScale(.heartRate, values: [120, 120], units: .metric)
        #expect(one.classes.map(\.label) == ["120 bpm"] && one.index(120) == 0)
        let wrong = TrackScale(
            .speed, values: (0..<99).map { 1 + Double($0) / 99 } + [400], units: .metric)
        #expect(
            wrong.classes.map(\.label) == [
                "under 4 km/h", "4–5 km/h", "5–6 km/h", "6–7 km/h", "from 7 km/h",
            ])
        #expect(wrong.index(400) == 4)
        let miles = TrackScale(.speed, values: [1, 2], units: .imperial)
        #expect(miles.classes.allSatisfy { $0.label.hasSuffix("mph") })
    }

    @Test("a legend names the classes that the picture shows, and no others")
    func legend() throws {
        var coloring = TrackColoring(.grade)
        coloring.add([Self.track(100) { $0.coordinate.altitude = Double($1 < 50 ? 0 : ($1 - 50) * 4) }])
        let features = coloring.features(units: .metric)
        let whole = try #require(MapView(fitting: features.flatMap(\.coordinates)))
        #expect(
            MapKey(features, view: whole).entries.map(\.words) == ["under 5 %", "5–15 % up", "over 15 % up"])
        var level = whole
        level.center = Self.north(100)
        level.zoom += 4
        #expect(MapKey(features, view: level).entries.map(\.words) == ["under 5 %"])
    }
}

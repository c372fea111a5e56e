import Foundation
import Geodesy
import Testing

struct PlaneTests {
    @Test func theNearestPointIsOnTheSegmentOrAtAnEnd() {
        func nearest(_ ax: Double, _ ay: Double, _ bx: Double, _ by: Double) -> (
            square: Double, share: Double
        ) {
            PlanePoint.nearest(from: PlanePoint(x: ax, y: ay), to: PlanePoint(x: bx, y: by))
        }
        #expect(nearest(-3, 4, 5, 4) == (16, 0.375))
        #expect(nearest(3, 4, 5, 4) == (25, 0))
        #expect(nearest(-5, 4, -3, 4) == (25, 1))
        // A segment without length.
        #expect(nearest(3, 4, 3, 4) == (25, 0))
        let point = PlanePoint(x: 10, y: 1)
        #expect(point.square(from: PlanePoint(x: 8, y: 3), to: PlanePoint(x: 14, y: 3)) == 4)
    }

    /// Within a kilometre the plane agrees with the sphere to a millimetre, also across the antimeridian.
    @Test(arguments: [(47.0, 8.0), (-45.0, 179.999), (65.0, -179.9999), (0.0, 0.0)])
    func distancesAreThoseOfTheSphere(latitude: Double, longitude: Double) {
        let origin = Coordinate(latitude: latitude, longitude: longitude)
        let plane = LocalPlane(at: origin)
        for bearing in stride(from: 0.0, to: 360, by: 30) {
            let there = origin.destination(bearing: bearing, distance: 300)
            let point = plane.point(there)
            #expect(abs(hypot(point.x, point.y) - 300) < 0.05)
        }
    }

    @Test func anotherUnitScalesThePlane() {
        let origin = Coordinate(latitude: 60, longitude: 10)
        let degrees = LocalPlane(at: origin, unitsPerDegree: 1).point(61, 11)
        #expect(degrees.y == 1)
        #expect(abs(degrees.x - 0.5) < 1e-12)
        #expect(abs(LocalPlane(at: origin).point(61, 10).y - LocalPlane.metresPerDegree) < 1e-9)
    }

    @Test func distanceFromASegment() {
        let (a, b) = (Coordinate(latitude: 0, longitude: 179.99), Coordinate(latitude: 0, longitude: -179.99))
        let beside = Coordinate(latitude: 0.001, longitude: 180)
        #expect(abs(LocalPlane.distance(beside, from: a, to: b) - LocalPlane.metresPerDegree / 1000) < 1e-6)
    }

    /// Every removed point is within the tolerance of the kept line, and every examined piece is reported.
    @Test func simplificationKeepsWhatIsBeyondTheTolerance() {
        let heights: [Double] = [0, 0.5, 0, 6, 0, -0.5, 0, 0, 9, 0]
        func distance(_ index: Int, _ start: Int, _ end: Int) -> Double {
            let share = Double(index - start) / Double(end - start)
            return abs(heights[index] - (heights[start] + share * (heights[end] - heights[start])))
        }
        var simplification = LineSimplification()
        var pieces: [LineSimplification.Piece] = []
        simplification.run(count: heights.count, tolerance: 1, metric: distance) { pieces.append($0) }
        let kept = heights.indices.filter { simplification.isKept[$0] }
        #expect(kept == [0, 2, 3, 4, 7, 8, 9])
        #expect(pieces.first?.farthest == 8)
        #expect(pieces.filter { $0.distance > 1 }.count == kept.count - 2)
        for (start, end) in zip(kept, kept.dropFirst()) {
            #expect((start..<end).dropFirst().allSatisfy { distance($0, start, end) <= 1 })
        }
    }

    @Test func simplificationKeepsFixedPointsAndShortLines() {
        var simplification = LineSimplification()
        simplification.run(count: 5, tolerance: 1, fixed: 2, metric: { _, _, _ in 0 })
        #expect(simplification.isKept == [true, false, true, false, true])
        simplification.run(count: 2, tolerance: 1, metric: { _, _, _ in 9 })
        #expect(simplification.isKept == [true, true])
        simplification.run(count: 0, tolerance: 1, metric: { _, _, _ in 9 })
        #expect(simplification.isKept.isEmpty)
    }

    /// Cells in the order of their keys are neighbours.
    @Test func theHilbertCurveVisitsNeighbours() {
        let cells = (0..<UInt32(16)).flatMap { x in (0..<UInt32(16)).map { (x: x, y: $0) } }
        let keys = cells.map { Hilbert.key(x: $0.x, y: $0.y) }
        #expect(keys.sorted() == Array(0..<256))
        let order = cells.indices.sorted { keys[$0] < keys[$1] }.map { cells[$0] }
        for (a, b) in zip(order, order.dropFirst()) {
            #expect(abs(Int(a.x) - Int(b.x)) + abs(Int(a.y) - Int(b.y)) == 1)
        }
        #expect(Hilbert.cell(0.5, from: 0, to: 1) == 32_767)
        #expect(Hilbert.cell(.nan, from: 0, to: 1) == 0)
        #expect(Hilbert.cell(7, from: 0, to: 1) == 65_535)
    }
}

import Foundation
import Testing

@testable import BeaconsPlugin

/// Beacons side by side on the compass.
struct CompassTests {
    private func gap(_ a: Double, _ b: Double) -> Double {
        let difference = abs(a - b).truncatingRemainder(dividingBy: 360)
        return min(difference, 360 - difference)
    }

    @Test(arguments: [
        [10.0], [0, 0, 0], [359, 1, 0.5], [90, 91, 92, 270], [0, 120, 240],
        (0..<40).map { Double($0 % 3) }, (0..<55).map { Double($0) * 6.5 },
    ])
    func neitherDotsNorLabelsCoverEachOther(bearings: [Double]) {
        let layout = CompassLayout(bearings, radius: 140)
        for (index, spot) in layout.spots.enumerated() {
            #expect(spot.bearing == bearings[index])
            for other in layout.spots[(index + 1)...] {
                #expect(gap(spot.drawn, other.drawn) > CompassLayout.dotGap - 1e-6)
                if spot.isRight == other.isRight {
                    #expect(abs(spot.labelY - other.labelY) > CompassLayout.lineHeight - 1e-6)
                }
            }
        }
    }

    @Test func whatDoesNotOverlapStaysWhereItIs() {
        let layout = CompassLayout([0, 90, 180, 270], radius: 140)
        #expect(layout.spots.map(\.drawn) == [0, 90, 180, 270])
    }

    /// By hand: three at 10 with a gap of 4 are centred on 10; one at 30 stays.
    @Test func groupsAreCentred() {
        #expect(CompassLayout.apart([10, 10, 10, 30], gap: 4) == [6, 10, 14, 30])
        #expect(CompassLayout.apart([0, 1], gap: 4) == [-1.5, 2.5])
        #expect(CompassLayout.apart([], gap: 4) == [])
    }
}

import Foundation
import Geodesy
import Pictures
import Testing

@testable import WebPlugin

/// Long recordings as they are sent to a page.
struct DrawnLineTests {
    private static func line(_ count: Int) -> [Coordinate] {
        (0..<count).map { index in
            let along = Double(index)
            return Coordinate(latitude: 47 + 5e-4 * sin(along / 200), longitude: 8 + along * 1e-5)
        }
    }

    @Test func aLongLineKeepsItsShape() {
        let whole = Self.line(100_000)
        let drawn = PageMap.drawn(whole)
        #expect(drawn.count > 100 && drawn.count <= WebSettings.linePoints)
        #expect(drawn.first == whole.first && drawn.last == whole.last)
        for index in stride(from: 0, to: whole.count, by: 997) {
            let distance = zip(drawn, drawn.dropFirst()).lazy.map {
                LocalPlane.distance(whole[index], from: $0, to: $1)
            }.min()
            #expect((distance ?? .infinity) < WebSettings.lineTolerance.first * 1.1)
        }
    }

    /// A recording whose heights come and go keeps both ends of each part, up to what a chart can show.
    @Test(arguments: [3, 20_000]) func aProfileWithGapsIsBounded(parts: Int) {
        let all = (0..<parts).map { part in
            (0..<3).map { ProfilePoint(distance: Double(part * 300 + $0), elevation: Double(part)) }
        }
        let (kept, starts) = ProfileView.kept(of: all)
        #expect(kept.count <= 1_002 && kept.first == 0 && kept.last == parts * 3 - 1)
        #expect(starts.first == 0 && starts.count == (parts == 3 ? 3 : starts.count))
        // No line of the chart joins two parts.
        for (place, index) in kept.enumerated() where place > 0 && !starts.contains(place) {
            #expect(index / 3 == kept[place - 1] / 3)
        }
    }

    @Test func aShortLineIsSentWhole() {
        let whole = Self.line(WebSettings.linePoints)
        #expect(PageMap.drawn(whole) == whole)
    }

    /// Noise of ten metres: with a tolerance of a metre all points remain.
    @Test func aLineThatIsAllCornersIsBounded() {
        let whole = (0..<6000).map {
            Coordinate(latitude: 47 + ($0.isMultiple(of: 2) ? 0 : 1e-4), longitude: 8 + Double($0) * 1e-4)
        }
        #expect(PageMap.drawn(whole).count <= WebSettings.linePoints)
    }
}

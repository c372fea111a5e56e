import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import PlacesPlugin
@testable import Workbench

/// Places beside a way.
struct PlacesAlongTests {
    private let test: TestSession

    init() throws { test = try TestSession(plugins: { [PlacesPlugin(), FixedPlaces()] }) }

    /// Along 42.6° N a degree of longitude is 111,195 m · cos 42.6° = 81,850 m: the hut lies on the way after 0.02°, the peak 0.01° of
    /// latitude (1112 m) beside it after 0.04°.
    @Test func distancesAlongAndBeside() async {
        let way = "[42.6,1.7 42.6,1.76] | place along"
        #expect(
            await test.run("\(way) --radius 1500m | select name along distance | to text")
                == "name              along  distance\nRefugi de Juclà  1.64km        0m\nPic de Juclar    3.27km    1.11km"
        )
        #expect(await test.shown("\(way) | get name") == "Refugi de Juclà")
        #expect(await test.shown("\(way) --radius 1500m --kind peak | get name") == "Pic de Juclar")
        #expect(await test.run("\(way) --kind village | count") == "0")
    }

    /// A place is listed once, where the way there and back is nearest to it, and in the order of the way.
    @Test func thereAndBack() async {
        let way =
            "[42.58,1.667 42.576,1.667 42.6,1.72 42.576,1.667] | place along --kind station --kind hut | get name"
        #expect(await test.shown(way) == "Soldeu\nRefugi de Juclà")
    }

    /// Nothing found where nothing is known is not nothing there.
    @Test func whatNoRegionCoversIsSaid() async throws {
        let rows = try await test.value("[46.5,7.9 46.5,7.92] | place along").asRows
        #expect(
            rows?.note?.contains("of the way lie in no imported region: what is beside it is unknown") == true
        )
        let boxes = [BoundingBox(south: 46, west: 7.9, north: 47, east: 7.91)]
        let line = (0...4).map { Coordinate(latitude: 46.5, longitude: 7.9 + Double($0) * 0.01) }
        let outside = WayPiece.pieces(of: [line]).reduce(0) { $0 + $1.length(outside: boxes) }
        // Of four equal steps the first two have an end in the box.
        #expect(abs(outside - Polyline.length(line) / 2) < 1)
    }

    /// Across the 180th meridian the box of a piece is narrow, and a long way is cut into pieces.
    @Test func piecesAreShortAndWhole() {
        let line = (0...400).map {
            Coordinate(latitude: -17, longitude: Angle.longitude(179.9 + Double($0) * 0.0005))
        }
        let pieces = WayPiece.pieces(of: [line])
        let whole = Polyline.length(line)
        let parts = pieces.reduce(0) { $0 + Polyline.length(Array($1.line)) }
        #expect(abs(parts - whole) < 0.001 && pieces.count > 5)
        for piece in pieces {
            let box = piece.box(100)
            #expect(box.map { $0.longitudeSpan < 0.03 } == true)
        }
    }

    @Test(arguments: ["5", "[]", "[42.6,1.7]", "[42.6,1.7 'Hut' 42.6,1.76]", "Hut"])
    func whatIsNoWay(input: String) async {
        let failure = await test.result("\(input.first == "H" ? "'Hut'" : input) | place along").failure
        #expect(failure?.kind == CommonErrors.inputKind)
    }
}

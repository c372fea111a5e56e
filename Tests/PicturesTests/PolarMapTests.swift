import Geodesy
import Testing

@testable import Pictures

@Suite("Maps near the poles")
struct PolarMapTests {
    private static func place(_ latitude: Double, _ longitude: Double = 0) -> Coordinate {
        Coordinate(latitude: latitude, longitude: longitude)
    }

    @Test("what lies beyond the end of the map is said, and is not drawn at its edge")
    func said() throws {
        let features: [MapFeature] = [
            .point(Self.place(86), MapPointStyle(color: .ink, label: "Beyond")),
            .point(Self.place(84), MapPointStyle(color: .ink, label: "Within")),
            .track([Self.place(84), Self.place(84.5), Self.place(87), Self.place(88)]),
        ]
        let map = try #require(MapScene(fitting: features))
        let lack = try #require(map.lack)
        #expect(lack.contains("2 of 3 features reach beyond 85.05°"))
        let texts = map.scene().elements.compactMap { element -> String? in
            if case .text(let text) = element.shape { return text.string }
            return nil
        }
        #expect(texts.contains("Within"))
        #expect(!texts.contains("Beyond"))
        let runs = map.view.runs(of: features[2].coordinates)
        #expect(runs.count == 1 && runs[0].count == 2)
    }

    @Test("a map without such features lacks nothing")
    func none() throws {
        let map = try #require(MapScene(fitting: [.track([Self.place(46), Self.place(47)])]))
        #expect(map.lack == nil)
        let beyond = MapScene(view: MapView(center: Self.place(87), zoom: 5), features: [])
        #expect(beyond.lack?.contains("the centre lies beyond 85.05°") == true)
    }

    @Test("an area up to the pole is cut at the end of the map, one beyond it is not drawn")
    func areas() throws {
        let view = MapView(center: Self.place(84), zoom: 4)
        let reaching = [Self.place(84), Self.place(84, 10), Self.place(90, 10), Self.place(90)]
        #expect(view.areas(of: [reaching]).count == 1)
        let beyond = [Self.place(86), Self.place(86, 10), Self.place(90, 10), Self.place(90)]
        #expect(view.areas(of: [beyond]).isEmpty)
    }
}

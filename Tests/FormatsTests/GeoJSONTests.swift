import Formats
import Foundation
import Geodesy
import Testing

/// GeoJSON by RFC 7946.
@Suite struct GeoJSONTests {
    private func document(_ text: String) throws -> MapDocument {
        try JSONTree.read(Array(text.utf8)) { try GeoJSONReader.document($0) {} }
    }

    @Test(arguments: [
        (
            "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"geometry\":null},\n{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[46.5,107.9]}}]}",
            "line 2, column 60: $.features[1].geometry.coordinates: [46.5,107.9] is out of range"
        ),
        (
            "{\"type\":\"Point\",\"coordinates\":[3,\"north\"]}",
            "line 1, column 34: $.coordinates[1]: expected a number, not a string"
        ),
        ("{\"type\":\"Circle\"}", "line 1, column 9: $.type: `Circle` is not a GeoJSON type"),
    ])
    func faults(text: String, expected: String) throws {
        do {
            _ = try document(text)
            Issue.record("\(text) was read")
        } catch let fault as JSONFault {
            #expect(fault.description == expected)
        }
    }

    /// A point, a line across the antimeridian with times, and a route round-trip.
    @Test func roundTrip() throws {
        var document = MapDocument()
        document.name = "Trip"
        var points = [(10.0, 179.9), (10.5, -179.9), (11, -179.8)].map {
            GPXPoint(coordinate: Coordinate(latitude: $0.0, longitude: $0.1, altitude: 100))
        }
        for index in points.indices { points[index].heartRate = Double(90 + index) }
        let id = try #require(UUID(uuidString: "1F3C09AA-0000-4000-8000-0000000000AB"))
        document.features = [
            .place(
                MapPlace(
                    point: GPXPoint(coordinate: Coordinate(latitude: 1, longitude: 2), name: "A"), id: id,
                    properties: [("rank", "3")])),
            .line(GPXLine(name: "Over", segments: [points]), .track, id: id),
            .line(GPXLine(name: "Plan", segments: [Array(points.suffix(2))]), .route, id: nil),
        ]
        let bytes = GeoJSONWriter.bytes(document) {}
        let text = String(decoding: bytes, as: UTF8.self)
        // RFC 7946, 5.2: a box across the antimeridian has its west edge east of its east edge.
        #expect(text.hasPrefix(#"{"type":"FeatureCollection","bbox":[2,1,-179.8,11]"#), "\(text.prefix(90))")
        #expect(text.contains("MultiLineString"))
        let again = try self.document(text)
        #expect(again.name == "Trip")
        #expect(String(decoding: GeoJSONWriter.bytes(again) {}, as: UTF8.self) == text)
        guard case .line(let line, .track, let found) = again.features[1] else {
            Issue.record("the second feature is not a track")
            return
        }
        #expect(found == id)
        #expect(line.segments == [points])
    }
}

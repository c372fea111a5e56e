import Foundation
import GRDB
import Geodesy
import PluginTestKit
import Testing

@testable import TrailStores

/// GeoPackages as the standard has them (OGC 12-128r17); the binary forms are worked out by hand.
@Suite struct GeoPackageTests {
    private static let changed = "2026-02-06T08:00:00.000Z"

    /// `GP`, version 0, little-endian without an envelope, system 4326, then a point of well-known binary.
    @Test func aPointInBytes() {
        let bytes = GeoPackageGeometry.bytes(
            of: .point(Coordinate(latitude: 46.5, longitude: 8)), system: 4326)
        let expected: [UInt8] =
            [0x47, 0x50, 0, 1, 0xE6, 0x10, 0, 0, 1, 1, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0x20, 0x40]
            + [0, 0, 0, 0, 0, 0x40, 0x47, 0x40]
        #expect(bytes == expected)
    }

    private static let places = [
        Coordinate(latitude: 1, longitude: 2, altitude: 3),
        Coordinate(latitude: -4.5, longitude: 5, altitude: 6),
        Coordinate(latitude: 7, longitude: -8, altitude: 9),
        Coordinate(latitude: 1, longitude: 2, altitude: 3),
    ]

    @Test(arguments: [
        GeoPackageShape.point(places[0]), .lines([places]), .lines([places, places.reversed()]),
        .polygons([[places]]),
        .polygons([[places, places], [places]]),
    ])
    func shapesComeBack(_ shape: GeoPackageShape) throws {
        let bytes = GeoPackageGeometry.bytes(of: shape, system: 4326)
        #expect(try GeoPackageGeometry.shape(of: bytes) == shape)
        // Cut anywhere, it is a fault or nothing, and never another shape.
        for end in bytes.indices {
            let cut = Array(bytes[..<end])
            #expect(throws: GeoPackageGeometry.Fault.self) { try GeoPackageGeometry.shape(of: cut) }
        }
    }

    /// Big-endian, with measures, and as EWKB has heights: what other programs write.
    @Test func formsOfOtherPrograms() throws {
        func header(_ flags: UInt8) -> [UInt8] { [0x47, 0x50, 0, flags, 0, 0, 0x10, 0xE6] }
        let two: [UInt8] = [0x40, 0, 0, 0, 0, 0, 0, 0]
        let big = header(0) + [0, 0, 0, 0, 1] + two + two
        #expect(try GeoPackageGeometry.shape(of: big) == .point(Coordinate(latitude: 2, longitude: 2)))
        let measured = header(0) + [0, 0, 0, 0x07, 0xD1] + two + two + two
        #expect(try GeoPackageGeometry.shape(of: measured) == .point(Coordinate(latitude: 2, longitude: 2)))
        let extended = header(0) + [0, 0x80, 0, 0, 1] + two + two + two
        let high = Coordinate(latitude: 2, longitude: 2, altitude: 2)
        #expect(try GeoPackageGeometry.shape(of: extended) == .point(high))
        #expect(try GeoPackageGeometry.shape(of: header(0b1_0001)) == nil, "flagged as empty")
        // A collection in a collection, as deep as a stack: no standard has it.
        let nested = header(1) + Array(repeating: [1, 6, 0, 0, 0, 1, 0, 0, 0], count: 100_000).joined()
        #expect(throws: GeoPackageGeometry.Fault.damaged) { try GeoPackageGeometry.shape(of: nested) }
        let curve = header(0) + [0, 0, 0, 0, 8, 0, 0, 0, 0]
        #expect(throws: GeoPackageGeometry.Fault.kind(8)) { try GeoPackageGeometry.shape(of: curve) }
    }

    @Test func layersComeBackWithTheirColumns() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.gpkg")
        let table = GeoPackageTable(
            name: "huts", columns: ["name", "Name", "beds", "geom", "open"],
            rows: [
                .init(
                    shape: .point(Self.places[0]),
                    cells: [.text("Ü"), .text("b"), .integer(3), .text("x"), .boolean(true)]),
                .init(shape: nil, cells: [.null, .null, .real(2.5), .null, .boolean(false)]),
            ])
        let data = try GeoPackageWriter.data([table], changed: Self.changed) {}
        #expect(try GeoPackageWriter.data([table], changed: Self.changed) {} == data, "the same bytes")
        try data.write(to: file)
        let read = try GeoPackageReader(file) {}
        let layer = try #require(read.tables.first)
        #expect(read.unread.isEmpty)
        #expect(layer.columns == ["name", "Name_2", "beds", "geom_2", "open"])
        #expect(layer.rows[0].shape == .point(Self.places[0]))
        #expect(layer.rows[0].cells == [.text("Ü"), .text("b"), .real(3), .text("x"), .boolean(true)])
        #expect(layer.rows[1].shape == nil)
    }

    /// Metres of a national grid are not degrees.
    @Test func anotherSystemIsRefused() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.gpkg")
        let table = GeoPackageTable(
            name: "a", columns: [], rows: [.init(shape: .point(Self.places[0]), cells: [])])
        try GeoPackageWriter.data([table], changed: Self.changed) {}.write(to: file)
        let queue = try DatabaseQueue(path: file.path)
        try queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO gpkg_spatial_ref_sys VALUES ('LV95', 2056, 'EPSG', 2056, '', '');
                    UPDATE gpkg_geometry_columns SET srs_id = 2056;
                    """)
        }
        try queue.close()
        let refusal = #expect(throws: GeoPackageReader.Refusal.self) { try GeoPackageReader(file) {} }
        #expect(refusal?.message.contains("EPSG:2056") == true)
    }
}

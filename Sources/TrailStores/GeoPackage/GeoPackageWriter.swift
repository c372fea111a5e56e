import Core
import Foundation
import GRDB
import Geodesy

/// Writes layers as a GeoPackage 1.3 (OGC 12-128r17), in WGS 84.
public enum GeoPackageWriter {
    /// `GPKG` and 1.3.0, by which programs recognise the file.
    private static let (application, version) = (0x4750_4B47, 10300)
    /// WGS 84 by longitude and latitude.
    private static let system: Int32 = 4326

    /// The bytes of a file. `changed` is the time that each layer states, as `2026-02-06T08:15:30.000Z`; the same layers and
    /// time give the same bytes. Throws an error of `StoreErrors` or that of `check`.
    public static func data(
        _ tables: [GeoPackageTable], changed: String, check: () throws -> Void
    ) throws -> Data {
        let folder = try FileManager.default.scratchFolder("geopackage")
        defer { FileManager.default.discard(folder) }
        let file = folder.appendingPathComponent("a.gpkg")
        let queue = try DatabaseQueue(path: file.path)
        try queue.write { db in
            try db.execute(sql: schema)
            for table in tables { try write(table, changed, db, check) }
        }
        try queue.close()
        return try Data(contentsOf: file)
    }

    private static func write(
        _ table: GeoPackageTable, _ changed: String, _ db: Database, _ check: () throws -> Void
    ) throws {
        let name = table.name.sqlIdentifier
        let columns = columns(of: table)
        let kinds = Set(table.rows.compactMap { $0.shape?.kind })
        let declared = columns.map { ", \($0.name.sqlIdentifier) \($0.type)" }.joined()
        try db.execute(
            sql:
                "CREATE TABLE \(name) (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom \(kind(kinds))\(declared))"
        )
        let points = table.rows.compactMap { $0.shape?.points }.flatMap(\.self)
        try db.execute(
            sql: """
                INSERT INTO gpkg_contents(
                  table_name, data_type, identifier, description, last_change, min_x, min_y, max_x, max_y, srs_id)
                VALUES (?, 'features', ?, '', ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                table.name, table.name, changed, points.map(\.longitude).min(), points.map(\.latitude).min(),
                points.map(\.longitude).max(), points.map(\.latitude).max(), system,
            ])
        // 2: with or without heights.
        try db.execute(
            sql: """
                INSERT INTO gpkg_geometry_columns(table_name, column_name, geometry_type_name, srs_id, z, m)
                VALUES (?, 'geom', ?, ?, ?, 0)
                """,
            arguments: [table.name, kind(kinds), system, points.contains { $0.altitude != nil } ? 2 : 0])
        let places = Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")
        let names = (["geom"] + columns.map(\.name)).map(\.sqlIdentifier).joined(separator: ", ")
        let statement = try db.makeStatement(sql: "INSERT INTO \(name) (\(names)) VALUES (\(places))")
        for row in table.rows {
            try check()
            let shape = row.shape.map { Data(GeoPackageGeometry.bytes(of: $0, system: system)) }
            try statement.execute(arguments: StatementArguments([shape] + row.cells.map(\.stored)))
        }
    }

    /// One kind for all rows, else any.
    private static func kind(_ kinds: Set<String>) -> String {
        kinds.count == 1 ? kinds.first ?? "" : "GEOMETRY"
    }

    /// The columns with names that SQLite keeps apart, which ignores case, and the type that all cells have.
    private static func columns(of table: GeoPackageTable) -> [(name: String, type: String)] {
        var taken: Set = ["fid", "geom"]
        return table.columns.enumerated().map { index, given in
            var name = given
            var number = 2
            while !taken.insert(name.lowercased()).inserted {
                name = "\(given)_\(number)"
                number += 1
            }
            let types = Set(table.rows.map { $0.cells[index].type }).subtracting([""])
            let isNumber = types == ["INTEGER", "REAL"]
            return (name, types.count == 1 ? types.first ?? "TEXT" : isNumber ? "REAL" : "TEXT")
        }
    }

    private static let schema = """
        PRAGMA application_id = \(application);
        PRAGMA user_version = \(version);
        CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY, organization TEXT NOT NULL,
            organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
        INSERT INTO gpkg_spatial_ref_sys VALUES
            ('Undefined Cartesian SRS', -1, 'NONE', -1, 'undefined', 'undefined Cartesian coordinate reference system'),
            ('Undefined geographic SRS', 0, 'NONE', 0, 'undefined', 'undefined geographic coordinate reference system'),
            ('WGS 84 geodetic', 4326, 'EPSG', 4326, 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AXIS["Latitude",NORTH],AXIS["Longitude",EAST],AUTHORITY["EPSG","4326"]]', 'longitude and latitude on the WGS 84 ellipsoid');
        CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE,
            description TEXT DEFAULT '', last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')), min_x DOUBLE,
            min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,
            CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
        CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL,
            srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL,
            CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name), CONSTRAINT uk_gc_table_name UNIQUE (table_name),
            CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
            CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id));
        """
}

extension GeoPackageCell {
    /// The type of a column of such cells; empty for NULL, which any has.
    fileprivate var type: String {
        switch self {
        case .null: ""
        case .integer: "INTEGER"
        case .real: "REAL"
        case .text: "TEXT"
        case .boolean: "BOOLEAN"
        case .time: "DATETIME"
        }
    }

    fileprivate var stored: (any DatabaseValueConvertible)? {
        switch self {
        case .null: nil
        case .integer(let number): number
        case .real(let number): number
        case .text(let text), .time(let text): text
        case .boolean(let flag): flag
        }
    }
}

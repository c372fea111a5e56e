import Core
import Foundation
import GRDB

/// Reads the layers and tables of a GeoPackage.
public struct GeoPackageReader {
    /// Why a database is not read as a GeoPackage.
    public struct Refusal: Error {
        /// What is wrong.
        public let message: String
        /// What to do.
        public let fix: String
    }

    /// What is not read, and why.
    public private(set) var unread: [String] = []
    /// What became of the rows of each table.
    public private(set) var account = SourceAccount()
    /// The layers and tables in the order of their names.
    public private(set) var tables: [GeoPackageTable] = []

    /// Reads a file of another program, which is not changed. Throws an error of `StoreErrors`, or a
    /// `Refusal` for a database without a GeoPackage's tables and for coordinates of another system than WGS 84.
    public init(_ url: URL, check: () throws -> Void) throws {
        let connection = try StoreConnection(url, access: .foreign)
        do {
            try connection.queue.read { db in
                guard try db.tableExists("gpkg_contents") else {
                    throw Refusal(
                        message:
                            "\(url.lastPathComponent) is a database, but no GeoPackage: it has no table gpkg_contents",
                        fix: "store open \(Literal.text(url.lastPathComponent))")
                }
                let contents = try Row.fetchAll(
                    db, sql: "SELECT table_name, data_type FROM gpkg_contents ORDER BY table_name")
                for content in contents {
                    let name = String.fromDatabaseValue(content["table_name"]) ?? ""
                    let kind = String.fromDatabaseValue(content["data_type"]) ?? ""
                    guard kind == "features" || kind == "attributes" else {
                        unread.append("\(name): \(kind) are not read")
                        continue
                    }
                    try read(name, db, check)
                }
            }
            account.remarks = unread
        } catch let error as DatabaseError {
            throw StoreErrors.wrap(error, path: url.lastPathComponent)
        }
    }

    private mutating func read(_ name: String, _ db: Database, _ check: () throws -> Void) throws {
        guard try db.tableExists(name) || db.viewExists(name) else {
            unread.append("\(name): the file lists it, and has no such table")
            return
        }
        let geometry = try Self.geometry(of: name, db)
        let declared = try db.columns(in: name)
        let key = declared.first { $0.primaryKeyIndex > 0 }?.name
        let columns = declared.filter { $0.name != geometry && $0.name != key }
        var table = GeoPackageTable(name: name, columns: columns.map(\.name), rows: [])
        var faulty = 0
        let rows = try Row.fetchCursor(db, sql: "SELECT * FROM \(name.sqlIdentifier)")
        while let row = try rows.next() {
            try check()
            var shape: GeoPackageShape?
            if let geometry, let data = Data.fromDatabaseValue(row[geometry]) {
                do throws(GeoPackageGeometry.Fault) {
                    shape = try GeoPackageGeometry.shape(of: [UInt8](data))
                } catch {
                    faulty += 1
                }
            }
            table.rows.append(
                .init(shape: shape, cells: columns.map { Self.cell(row[$0.name], $0.type.uppercased()) }))
        }
        let kept = faulty
        account.parts.append(
            .init(
                item: "\(name) row", seen: table.rows.count, used: table.rows.count - kept,
                entries: [.init(.kept, "without a geometry that can be read", count: kept)]))
        if faulty > 0 {
            unread.append(
                "\(name): \(faulty) of \(table.rows.count, of: "geometry", plural: "geometries") could not be read"
            )
        }
        tables.append(table)
    }

    /// The column of the geometry; `nil` without one. Throws for coordinates that are not longitudes and latitudes.
    private static func geometry(of name: String, _ db: Database) throws -> String? {
        guard try db.tableExists("gpkg_geometry_columns"),
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT column_name, organization, organization_coordsys_id AS code, g.srs_id AS id FROM gpkg_geometry_columns g
                    LEFT JOIN gpkg_spatial_ref_sys s ON s.srs_id = g.srs_id WHERE table_name = ?
                    """, arguments: [name])
        else { return nil }
        let organization = (String.fromDatabaseValue(row["organization"]) ?? "").uppercased()
        let code = Int.fromDatabaseValue(row["code"]) ?? Int.fromDatabaseValue(row["id"]) ?? 0
        let isPlain = ["EPSG:4326", "EPSG:4979", "NONE:0"].contains("\(organization):\(code)")
        guard isPlain || organization == "OGC" else {
            throw Refusal(
                message:
                    "the layer \(name) has coordinates of \(organization):\(code), which are not converted",
                fix: "in a shell: ogr2ogr -t_srs EPSG:4326 wgs84.gpkg FILE.gpkg")
        }
        return String.fromDatabaseValue(row["column_name"])
    }

    private static func cell(_ value: DatabaseValue, _ type: String) -> GeoPackageCell {
        switch value.storage {
        case .null: .null
        case .int64(let number): type == "BOOLEAN" ? .boolean(number != 0) : .integer(number)
        case .double(let number): .real(number)
        case .string(let text): type == "DATETIME" ? .time(text) : .text(text)
        case .blob(let data): .text("\(data.count, of: "byte")")
        }
    }
}

import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// The format `geopackage`: anything with coordinates as layers for a geographic information system.
enum GeoPackageFormat {
    static let format = ExportFormat(
        "geopackage", "GeoPackage 1.3: points, lines and areas with their fields",
        details: """
            A layer for points, one for lines and one for areas, in WGS 84; a single one has the name of the file. Fields are \
            columns: numbers, quantities in base units (metres, seconds), times in UTC; lists and records are JSON. A recorded hike is the \
            point of its start; its way is `hike points HIKE | get at | export way.gpkg`. Each layer states the \
            session's time as its last change.
            """,
        endings: ["gpkg"], isText: false,
        examples: [
            .init(
                "a layer of points",
                "[{name: 'Hut', at: 46.5,7.9} {name: 'Pass', at: 46.6,7.8}] | export huts.gpkg; open huts.gpkg | get name",
                gives: "2 features written to huts.gpkg\nHut\nPass")
        ], recognizes: { _, _ in true }, write: write)

    @Sendable private static func write(_ request: ExportRequest, _ context: Context) throws -> Value {
        guard let target = request.target else {
            throw ExportCommandErrors.target("geopackage requires a file", fix: "… | export FILE.gpkg")
        }
        let features = try GeoFeature.all(of: request.input)
        let now = ISO8601.text(context.clock.now, fraction: .always)
        let data = try GeoPackageWriter.data(
            tables(features, named: target.deletingPathExtension().lastPathComponent), changed: now
        ) { try context.checkCancelled() }
        try OutputFile.write(data, to: target, force: request.force, parameter: "path")
        return .text("\(features.count, of: "feature") written to \(target.lastPathComponent)")
    }

    /// A layer of each kind that is there.
    private static func tables(_ features: [GeoFeature], named name: String) throws -> [GeoPackageTable] {
        var layers: [(name: String, features: [(GeoPackageShape, Record)])] = [
            ("points", []), ("lines", []), ("areas", []),
        ]
        for feature in features {
            switch feature.shape {
            case .point(let place): layers[0].features.append((.point(place), feature.fields))
            case .line(let points):
                layers[1].features.append((.lines(Antimeridian.parts(of: points)), feature.fields))
            case .area(let rings):
                layers[2].features.append((.polygons(RingNesting.polygons(rings)), feature.fields))
            }
        }
        layers = layers.filter { !$0.features.isEmpty }
        return try layers.map { layer in
            try table(layer.features, named: layers.count == 1 ? name : layer.name)
        }
    }

    /// SQLite's limit of 2000, without the row's number and the geometry.
    private static let mostColumns = 1998

    private static func table(
        _ features: [(GeoPackageShape, Record)], named name: String
    ) throws -> GeoPackageTable {
        var columns: [String] = []
        var known = Set<String>()
        for (_, fields) in features {
            for key in fields.keys where known.insert(key).inserted { columns.append(key) }
        }
        guard columns.count <= mostColumns else {
            throw CommonErrors.inputKind(
                "\(columns.count) fields are more than a layer of a GeoPackage has, \(mostColumns)",
                fix: "choose some: … | select FIELD … | export FILE.gpkg")
        }
        // A file's layers must not have the names of the format's own tables.
        let isOwn =
            name.lowercased().hasPrefix("gpkg_") || name.lowercased().hasPrefix("sqlite_") || name.isEmpty
        return GeoPackageTable(
            name: isOwn ? "layer" : name, columns: columns,
            rows: try features.map { shape, fields in
                .init(shape: shape, cells: try columns.map { try cell(fields[$0] ?? .nothing) })
            })
    }

    private static func cell(_ value: Value) throws -> GeoPackageCell {
        if case .date(let moment) = value {
            return .time(ISO8601.text(moment, fraction: .always))
        }
        switch try JSONTree(value, timeZone: .gmt) {
        case .null: return .null
        case .boolean(let flag): return .boolean(flag)
        case .number(let text):
            if let whole = Int64(text) { return .integer(whole) }
            return Double(text).map { .real($0) } ?? .text(text)
        case .text(let text): return .text(text)
        case let tree: return .text(tree.compactText)
        }
    }
}

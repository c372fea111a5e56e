import Formats
import Foundation
import GRDB
import PluginKit
import TrailStores

/// Findings that concern several stores of a container.
enum ContainerFindings {
    static let damaged = FindingKind(
        .error, "F-APP-DAMAGED", "a store cannot be opened",
        why: "It is named like a store, but SQLite cannot read it.",
        fix: "the finding describes the file; `store repair` recovers readable rows")
    static let hike = FindingKind(
        .warning, "F-APP-HIKE", "waypoints of a missing hike",
        why: "hike_id names a hike that no store of the container has: deleted, or its store was not copied.",
        fix: "copy the store of hikes too, or set hike_id to NULL")
    static let region = FindingKind(
        .warning, "F-APP-REGION", "a missing region",
        why: "A hike or planned route names a region of which the container has neither tiles nor metadata.",
        fix: "download the region again")
    static let metadata = FindingKind(
        .warning, "F-APP-METADATA", "a region's file without metadata",
        why:
            "The app lists regions by their metadata; a file without metadata takes space and is never shown.",
        fix: "delete the file, or restore its entry in the metadata")
    static let file = FindingKind(
        .warning, "F-APP-FILE", "a region without its file",
        why:
            "The metadata name a region whose tiles or routing graph are missing: the app fails to open it.",
        fix: "download the region again")
    static let orphan = FindingKind(
        .error, "F-APP-ORPHAN", "a log or journal without its database",
        why: "It contains the latest changes of a database that is not in the container.",
        fix: "copy the database too")
    static let twice = FindingKind(
        .info, "F-APP-TWICE", "two stores of one kind",
        why: "One may be a backup; the app reads one of them.",
        fix: "compare them with `store diff`")
    static let archive = FindingKind(
        .warning, "F-APP-ARCHIVE", "a part of the container is not here",
        why:
            "It is cut off, damaged, locked with a password, only in the cloud, or was not copied; what it contains was not checked.",
        fix: "copy it again completely, or unpack it with its password and check the folder")
    static let all = [damaged, hike, region, metadata, file, orphan, twice, archive]
}

/// Checks across the stores of a container.
struct ContainerChecks {
    let container: AppContainer

    /// A finding with its file.
    typealias Placed = (path: String, finding: Finding)

    func check() throws -> [Placed] {
        try container.faults.map { finding(ContainerFindings.archive, container.url.lastPathComponent, $0) }
            + damaged() + orphans() + links() + regions() + twins()
    }

    private func finding(
        _ kind: FindingKind, _ path: String, _ what: String, table: String? = nil, row: Int64? = nil,
        id: String? = nil
    ) -> Placed {
        (path, Finding(kind: kind, table: table, row: row, id: id, what: what))
    }

    private func items(_ kind: StoreKind) -> [ContainerItem] {
        container.items.filter { $0.storeKind == kind }
    }

    private func damaged() throws -> [Placed] {
        try container.items.filter { $0.role == .damaged }.flatMap { item -> [Placed] in
            let causes = try FileFindings.of(item.url)
            if causes.isEmpty { return [finding(ContainerFindings.damaged, item.path, item.note)] }
            return causes.map { (item.path, $0) }
        }
    }

    private func orphans() -> [Placed] {
        container.items.filter { $0.isOrphan && $0.bytes > 0 }.map {
            finding(ContainerFindings.orphan, $0.path, "\($0.bytes) bytes \($0.note)")
        }
    }

    private func twins() -> [Placed] {
        [StoreKind.waypoints, .hikes, .transit].flatMap { kind -> [Placed] in
            let found = items(kind)
            guard found.count > 1 else { return [] }
            return [
                finding(
                    ContainerFindings.twice, found[1].path,
                    "\(kind.name) are also in \(found.filter { $0.path != found[1].path }.map(\.path).joined(separator: ", "))"
                )
            ]
        }
    }

    // MARK: Hikes

    private func texts(_ item: ContainerItem, _ table: String, _ columns: [String]) throws -> [[String?]] {
        let connection = try StoreConnection(item.url, access: .foreign)
        return try connection.read { db in
            let present = Set(try db.columns(in: table).map(\.name))
            guard present.isSuperset(of: columns) else { return [] }
            let list = columns.map { "CAST(\($0.sqlIdentifier) AS TEXT)" }.joined(separator: ", ")
            return try Row.fetchAll(db, sql: "SELECT \(list) FROM \(table.sqlIdentifier)").map { row in
                columns.indices.map { String.fromDatabaseValue(row[$0]) }
            }
        }
    }

    private func links() throws -> [Placed] {
        let hikes = items(.hikes)
        let known = Set(
            try hikes.flatMap { try texts($0, "saved_routes", ["id"]) }.compactMap { $0[0]?.uppercased() })
        return try items(.waypoints).flatMap { item -> [Placed] in
            var counts: [String: Int] = [:]
            for cells in try texts(item, "waypoints", ["hike_id"]) {
                if let id = cells[0]?.uppercased(), !known.contains(id) { counts[id, default: 0] += 1 }
            }
            let remark =
                hikes.isEmpty
                ? "the container has no store of hikes"
                : "not in \(hikes.map(\.path).joined(separator: ", "))"
            return counts.sorted { $0.key < $1.key }.map { id, count in
                finding(
                    ContainerFindings.hike, item.path,
                    "\(count, of: "waypoint") of hike \(id.prefix(8)): \(remark)",
                    table: "waypoints", id: id)
            }
        }
    }

    // MARK: Regions

    private func regions() throws -> [Placed] {
        let metadata = container.items.filter { $0.role == .regions }.map {
            ($0.path, StoredRegionFacts.read($0.url))
        }
        let known = metadata.flatMap(\.1)
        let files = items(.mbtiles) + items(.routing)
        var found: [Placed] = []
        if !metadata.isEmpty {
            for file in files where !known.contains(where: { $0.names(file.stem) }) {
                found.append(
                    finding(ContainerFindings.metadata, file.path, "no metadata for \(file.stem)"))
            }
        }
        for (path, regions) in metadata {
            for region in regions {
                let tiles = items(.mbtiles).contains { region.names($0.stem) }
                let graph = items(.routing).contains { region.names($0.stem) }
                if !tiles {
                    found.append(
                        finding(ContainerFindings.file, path, "no tiles of \(region.name)", id: region.id))
                }
                if region.hasRouting == true, !graph {
                    found.append(
                        finding(
                            ContainerFindings.file, path, "no routing graph of \(region.name)", id: region.id)
                    )
                }
            }
        }
        return try found + users(known, files)
    }

    /// Hikes and planned routes with missing regions.
    private func users(_ known: [StoredRegionFacts], _ files: [ContainerItem]) throws -> [Placed] {
        func isThere(_ id: String) -> Bool {
            known.contains { $0.names(id) } || files.contains { $0.stem.lowercased() == id.lowercased() }
        }
        var found: [Placed] = []
        for item in items(.hikes) {
            for cells in try texts(item, "saved_routes", ["region_id", "id", "name"]) {
                guard let id = cells[0], !id.isEmpty, !isThere(id) else { continue }
                found.append(
                    finding(
                        ContainerFindings.region, item.path,
                        "hike \(cells[2] ?? "") is in region \(id.prefix(36))",
                        table: "saved_routes", id: cells[1]))
            }
        }
        for item in items(.plannedRoutes) {
            for document in try DocumentFiles(item.url).documents {
                guard let id = document.tree?["regionId"]?.text, !id.isEmpty, !isThere(id) else { continue }
                found.append(
                    finding(
                        ContainerFindings.region, item.path, "\(document.file) is in region \(id.prefix(36))",
                        table: "planned_routes", id: document.file))
            }
        }
        return found
    }
}

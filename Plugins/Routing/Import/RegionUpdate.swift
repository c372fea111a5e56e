import Cartography
import Foundation
import GRDB
import Geodesy
import PluginKit
import TrailStores

extension RegionImport {
    /// Adds map features to an existing region from the map file that it was imported from, and relief from
    /// elevation tiles. Its ways, names and trails are unchanged. Either the whole map is written, or
    /// nothing is changed.
    func update(_ request: Request) throws -> ImportReport {
        let database = try folder.database(request.name)
        let region = try RoutingRegion(database, isOwn: true)
        guard let reach = region.reach, region.stamp != nil else {
            throw RegionErrors.empty("the region \(request.name) has no ways, or is being written")
        }
        let reader = OSMReader(OSMFile(request.source), progress: progress)
        try reader.checkKind()
        var report = ImportReport()
        if let source = region.metadata[RegionMetadata.source], source != request.source.lastPathComponent {
            report.notices.append("\(request.name) was imported from \(source)")
        }
        let heights = try elevation(of: reach, request.elevation, &report)
        var map = try reader.map(bounds: request.bounds, elevation: request.elevation)
        report.take(&map, heights, request)
        guard let extent = map.extent, extent.meets(reach) else {
            throw RegionErrors.empty(
                "\(request.source.lastPathComponent) has no data in the area of the region \(request.name)",
                at: .parameter("file"), fix: "choose the file that the region was imported from")
        }
        try write(map, to: database, name: request.name)
        return report
    }

    private func elevation(
        of reach: BoundingBox, _ urls: [URL], _ report: inout ImportReport
    ) throws -> ElevationModel? {
        guard !urls.isEmpty else { return nil }
        let model = try ElevationFile.model(
            urls, wanted: Set(ElevationTile.Corner.meeting(reach)).contains, progress: progress)
        report.tiles = model.names
        report.notices += model.notices
        return model
    }

    /// Writes the map into a copy, which then replaces the region.
    private func write(_ map: MapTableBuilder, to database: URL, name: String) throws {
        let copy = folder.url.appendingPathComponent(".\(name).\(getpid()).tmp")
        FileManager.default.discard(copy)
        defer { FileManager.default.discard(copy) }
        do {
            try FileManager.default.copyItem(at: database, to: copy)
            let queue = try DatabaseQueue(path: copy.path)
            try queue.write { try map.write(to: $0, progress: progress) }
            try queue.close()
        } catch let error as DatabaseError {
            throw StoreErrors.wrap(error, path: database.lastPathComponent)
        } catch let error as CocoaError {
            throw CommonErrors.fileAccess("\(database.lastPathComponent): \(error.localizedDescription)")
        }
        try AtomicFile.publish(copy, as: database, policy: .replace)
        // The derived files belong to the old database: rebuild them now, so that the first route does not
        // wait.
        progress.report("building the hierarchy", done: 0)
        _ = try RoutingRegion(database, isOwn: true).hierarchy(.hiking)
    }
}

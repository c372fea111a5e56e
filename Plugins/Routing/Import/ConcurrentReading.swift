import Cartography
import CivilTime
import Foundation
import Geodesy
import PluginKit

/// Reads further data of a file concurrently with the caller's reading of ways: independent passes over one
/// file. Progress is reported by the caller's passes only.
enum ConcurrentReading {
    /// The places of a file as tables, their number, and the numbers of names without a coordinate and of
    /// addresses without a street.
    typealias Names = (places: Int, unplaced: Int, streetless: Int, tables: PlaceTables)

    /// Reads and sorts the names of a file; with a box only the places inside.
    static func names(
        _ file: OSMFile, bounds: BoundingBox?, day: CivilDate? = nil,
        in group: BackgroundWorkGroup = BackgroundWorkGroup()
    ) -> BackgroundWork<Names> {
        group.start { isStopped in
            let reader = OSMReader(file, progress: ProgressReporter(), isStopped: isStopped)
            let places = try RegionPlaces(
                try reader.readPlaces(), bounds: bounds, day: day, check: reader.checkStop)
            FreedMemory.giveBack()
            let tables = try PlaceTables(
                places.entries, areas: places.areas, times: places.times, check: reader.checkStop)
            return (places.entries.count, places.unplaced, places.streetless, tables)
        }
    }

    /// Reads the map features and prepares their storage; with a box only those that intersect it. Starts
    /// after the names: this avoids the peak memory of both, and the processors are busy anyway.
    static func map(
        _ file: OSMFile, bounds: BoundingBox?, elevation: [URL] = [], after names: BackgroundWork<Names>?,
        isPrepared: Bool = true, in group: BackgroundWorkGroup = BackgroundWorkGroup()
    ) -> BackgroundWork<MapTableBuilder> {
        group.start { isStopped in
            names?.wait(unless: isStopped)
            let reader = OSMReader(file, progress: ProgressReporter(), isStopped: isStopped)
            try reader.checkStop()
            FreedMemory.giveBack()
            return try reader.map(bounds: bounds, elevation: elevation, isPrepared: isPrepared)
        }
    }
}

import Cartography
import Foundation
import Geodesy
import PluginKit

/// Reading what else a file has beside its ways, while the caller reads those: passes over one file that need nothing of each
/// other. Progress is what the caller's own passes report.
enum ReadingBeside {
    /// The places of a file as tables: how many there are, and how many could not be placed.
    typealias Names = (places: Int, unplaced: Int, streetless: Int, tables: PlaceTables)

    /// Reads the names of a file, and sorts them; with a box only the places inside.
    static func names(_ file: URL, bounds: BoundingBox?) -> BackgroundWork<Names> {
        BackgroundWork { isStopped in
            let reader = OSMReader(file, progress: ProgressReporter(), isStopped: isStopped)
            let places = try RegionPlaces(try reader.readPlaces(), bounds: bounds, check: reader.checkStop)
            FreedMemory.giveBack()
            let tables = try PlaceTables(places.entries, areas: places.areas, check: reader.checkStop)
            return (places.entries.count, places.unplaced, places.streetless, tables)
        }
    }

    /// Reads what the map shows, and works out how it is stored; with a box only what reaches into it. It begins when the names
    /// are there: the memory of both would not be needed at once, and the processors are busy without it.
    static func map(
        _ file: URL, bounds: BoundingBox?, after names: BackgroundWork<Names>?
    ) -> BackgroundWork<MapTableBuilder> {
        BackgroundWork { isStopped in
            names?.wait(unless: isStopped)
            let reader = OSMReader(file, progress: ProgressReporter(), isStopped: isStopped)
            try reader.checkStop()
            FreedMemory.giveBack()
            return try reader.map(bounds: bounds)
        }
    }
}

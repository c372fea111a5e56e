import Cartography
import Foundation
import Geodesy
import PluginKit

/// Reading what else a file has beside its ways, while the caller reads those: passes over one file that need nothing of each
/// other. Progress is what the caller's own passes report.
enum ReadingBeside {
    /// The places of a file, and as tables.
    typealias Names = (places: RegionPlaces, tables: PlaceTables)

    /// Reads the names of a file, and sorts them; with a box only the places inside.
    static func names(_ file: URL, bounds: BoundingBox?) -> WorkBeside<Names> {
        WorkBeside { isStopped in
            let reader = OSMReader(file, progress: ProgressReporter(), isStopped: isStopped)
            let places = try RegionPlaces(try reader.readPlaces(), bounds: bounds, check: reader.checkStop)
            return (places, try PlaceTables(places.entries, areas: places.areas, check: reader.checkStop))
        }
    }

    /// Reads what the map shows, and works out how it is stored; with a box only what reaches into it.
    static func map(_ file: URL, bounds: BoundingBox?) -> WorkBeside<MapTableBuilder> {
        WorkBeside { isStopped in
            try OSMReader(file, progress: ProgressReporter(), isStopped: isStopped).map(bounds: bounds)
        }
    }
}
